//! Which names files and folders may be given, so that every system that the project is opened on can have them.

use super::files::{self, FileKind, SIDECAR_SUFFIX};

/// Bytes of the longest name that the usual file systems take.
const MAX_BYTES: usize = 255;

/// Characters that some system does not take in names.
const ODD: &str = r#"<>:"|?*"#;

/// Names that stand for devices on Windows, whatever extension follows.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// What is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// An image.
    Image,
    /// A file that refers to images.
    Other(FileKind),
    /// A folder, and whether it lies directly under the project's root.
    Folder {
        /// Whether it does.
        is_directly_under_root: bool,
    },
}

impl Named {
    /// What a file of that name is; `None` when it is no asset.
    pub fn of_file(name: &str) -> Option<Self> {
        let other = FileKind::of_name(name).map(Self::Other);
        other.or_else(|| files::is_image_name(name).then_some(Self::Image))
    }
}

/// Why something cannot have that name: a sentence without its full stop.
pub fn why_not(name: &str, named: Named) -> Option<String> {
    if name.is_empty() {
        return Some("A name is needed".to_owned());
    }
    if name.contains(['/', '\\']) {
        return Some("A name has no / and no \\".to_owned());
    }
    if name.starts_with('.') {
        return Some("A name that begins with a dot is hidden".to_owned());
    }
    if name.chars().any(char::is_control) {
        return Some("A name has no control characters".to_owned());
    }
    if let Some(odd) = name.chars().find(|letter| ODD.contains(*letter)) {
        return Some(format!("Windows takes no {odd} in names"));
    }
    if name.ends_with(['.', ' ']) || name.starts_with(' ') {
        return Some("A name begins and ends with no space, and ends with no dot".to_owned());
    }
    if is_device(name) {
        return Some("Windows keeps this name for a device".to_owned());
    }
    if name.len() + SIDECAR_SUFFIX.len() > MAX_BYTES {
        return Some("The name is too long".to_owned());
    }
    why_no_name_of_kind(name, named)
}

fn why_no_name_of_kind(name: &str, named: Named) -> Option<String> {
    match named {
        Named::Image if !files::is_image_name(name) => {
            let known = files::IMAGE_EXTENSIONS.join(", .");
            Some(format!("An image's name ends with .{known}"))
        }
        Named::Other(kind) if FileKind::of_name(name) != Some(kind) => match kind {
            FileKind::Scene => Some(format!("A scene's name ends with .{}", files::SCENE_EXTENSION)),
        },
        Named::Folder { is_directly_under_root }
            if files::is_skipped_folder(name, is_directly_under_root) =>
        {
            Some("A folder of that name is not looked into".to_owned())
        }
        _ => None,
    }
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_lowercase();
    let mut letters = stem.chars();
    let last = letters.next_back();
    let is_port = matches!(letters.as_str(), "com" | "lpt")
        && last.is_some_and(|last| matches!(last, '1'..='9' | '\u{b9}' | '\u{b2}' | '\u{b3}'));
    is_port || DEVICES.contains(&stem.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOLDER: Named = Named::Folder { is_directly_under_root: false };

    #[test]
    fn names_that_some_system_cannot_have_are_refused() {
        let odd = [
            "",
            ".",
            "..",
            ".hidden.png",
            "a/b.png",
            "a\\b.png",
            "a\n.png",
            "a\u{7f}.png",
            "a:b.png",
            "a?.png",
            " a.png",
            "a.png ",
            "a.",
            "nul.png",
            "Con",
            "com1.old.png",
            "LPT\u{b2}.png",
            "aux .png",
        ];
        for name in odd {
            assert!(why_not(name, Named::Image).is_some(), "{name:?}");
            assert!(why_not(name, FOLDER).is_some(), "{name:?}");
        }
        // 255 bytes less the five of ".data".
        let fitting = format!("{}.png", "a".repeat(246));
        assert_eq!(why_not(&fitting, Named::Image), None);
        assert!(why_not(&format!("a{fitting}"), Named::Image).is_some());
        for name in ["console.png", "com10.png", "com.png", "h\u{e9}ros 2 (alt).PNG", "a.b.webp"] {
            assert_eq!(why_not(name, Named::Image), None, "{name:?}");
        }
    }

    #[test]
    fn what_a_file_is_its_name_goes_on_to_say() {
        assert_eq!(why_not("a.jpeg", Named::Image), None);
        for name in ["a", "a.txt", "a.scene", "a.png.data"] {
            assert!(why_not(name, Named::Image).is_some(), "{name}");
        }
        let scene = Named::of_file("level.scene").unwrap();
        assert_eq!(why_not("Other.SCENE", scene), None);
        assert!(why_not("other.png", scene).is_some() && why_not("other", scene).is_some());
        assert_eq!(Named::of_file("notes.txt"), None);
    }

    #[test]
    fn folders_are_not_named_as_those_that_are_passed_by() {
        assert_eq!(why_not("cache", FOLDER), None);
        assert!(why_not("cache", Named::Folder { is_directly_under_root: true }).is_some());
        assert_eq!(why_not("sprites.old", FOLDER), None);
    }
}
