//! The system's file dialogs and its file manager. They may take as long as they like: the window goes on.

use std::path::PathBuf;
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::import::service::Waker;
use crate::model::files;
use crate::session::Action;

/// What came of a dialog.
pub enum Picked {
    /// Something was picked, and this is to be done with it.
    Action(Action),
    /// The system could not show it.
    Failed(String),
}

/// Dialogs on their way.
pub struct Dialogs {
    sender: Sender<Picked>,
    receiver: Receiver<Picked>,
    waker: Waker,
}

impl Dialogs {
    /// `waker` is called when something was picked.
    pub fn new(waker: Waker) -> Self {
        let (sender, receiver) = unbounded();
        Self { sender, receiver, waker }
    }

    /// What was picked since the last call.
    pub fn take(&self) -> Vec<Picked> {
        self.receiver.try_iter().collect()
    }

    /// Asks for a folder; `action` is done with the one that is picked.
    pub fn pick_folder(&self, title: &str, action: fn(PathBuf) -> Action) {
        // Made here, on the main thread, as macOS wants it; waited for elsewhere.
        let dialog = rfd::AsyncFileDialog::new().set_title(title).pick_folder();
        self.wait(move || pollster::block_on(dialog).map(|folder| action(folder.path().to_owned())));
    }

    /// Asks for an image file.
    pub fn pick_image(&self, title: &str, action: fn(PathBuf) -> Action) {
        let dialog = rfd::AsyncFileDialog::new()
            .set_title(title)
            .add_filter("Images", &files::IMAGE_EXTENSIONS)
            .pick_file();
        self.wait(move || pollster::block_on(dialog).map(|file| action(file.path().to_owned())));
    }

    /// Shows a file in the system's file manager.
    pub fn reveal(&self, file: PathBuf) {
        let sender = self.sender.clone();
        let waker = self.waker.clone();
        self.spawn(move || {
            if let Err(why) = opener::reveal(&file) {
                let message = format!("The file manager did not open: {why}: {}", file.display());
                if sender.send(Picked::Failed(message)).is_ok() {
                    waker();
                }
            }
        });
    }

    fn wait(&self, picked: impl FnOnce() -> Option<Action> + Send + 'static) {
        let sender = self.sender.clone();
        let waker = self.waker.clone();
        self.spawn(move || {
            if let Some(action) = picked()
                && sender.send(Picked::Action(action)).is_ok()
            {
                waker();
            }
        });
    }

    fn spawn(&self, work: impl FnOnce() + Send + 'static) {
        if let Err(why) = thread::Builder::new().name("dialog".into()).spawn(work)
            && self.sender.send(Picked::Failed(format!("No dialog: {why}"))).is_err()
        {
            log::error!("no dialog: {why}");
        }
    }
}
