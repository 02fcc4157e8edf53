//! The `cutsheet` program: the window, or a headless command.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Faster than the systems' own for many small blocks that one thread makes and another drops.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    cutsheet::cli::main()
}
