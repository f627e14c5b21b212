//! The modules of the example `packed_refs`, as they stand there.

#![allow(dead_code, reason = "not all of it is measured")]

#[path = "../../../../examples/packed_refs/fault.rs"]
pub(crate) mod fault;
#[path = "../../../../examples/packed_refs/list.rs"]
pub(crate) mod list;
#[path = "../../../../examples/packed_refs/make.rs"]
pub(crate) mod make;
#[path = "../../../../examples/packed_refs/record.rs"]
pub(crate) mod record;
#[path = "../../../../examples/packed_refs/refname.rs"]
pub(crate) mod refname;
#[path = "../../../../examples/packed_refs/snapshot.rs"]
pub(crate) mod snapshot;
#[path = "../../../../examples/packed_refs/sought.rs"]
pub(crate) mod sought;
#[path = "../../../../examples/packed_refs/walk.rs"]
pub(crate) mod walk;
