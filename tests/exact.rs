//! No byte too many: whatever the descriptor is, and whatever happens on the way, what is left in it after a line
//! is exactly what stands behind that line.
#![cfg(unix)]

#[path = "support/descriptors.rs"]
mod descriptors;
#[path = "support/exact.rs"]
mod exact;
#[path = "support/pipe.rs"]
mod pipe;
#[cfg(target_os = "linux")]
#[path = "support/refuse.rs"]
mod refuse;
#[path = "support/signals.rs"]
mod signals;
mod support;
#[path = "support/time.rs"]
mod time;

#[path = "exact/children.rs"]
mod children;
#[path = "exact/interrupted.rs"]
mod interrupted;
#[path = "exact/long.rs"]
mod long;
#[path = "exact/methods.rs"]
mod methods;
#[path = "exact/nonblocking.rs"]
mod nonblocking;
#[cfg(target_os = "linux")]
#[path = "exact/refused.rs"]
mod refused;
#[path = "exact/schedules.rs"]
mod schedules;

use wholeline::Method;

/// How a pipe is read here.
const PIPE: Method =
    if cfg!(any(target_os = "linux", target_os = "android")) { Method::Tee } else { Method::Byte };
