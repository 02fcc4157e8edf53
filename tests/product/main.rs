//! The product as its users meet it: the real program, a running project, and the window by its labels.

mod headless;
mod saves;
mod sessions;
mod window;
