//! The list of keys: the commands in groups, whose keys can be changed, and what the mouse does.

use eframe::egui;
use egui::{
    Align, Button, Color32, Context, Label, Layout, RichText, ScrollArea, Sides, TextEdit, Ui, UiBuilder,
    Vec2,
};
use egui_material_icons::icons::{ICON_CLOSE, ICON_RESTART_ALT};

use super::groups::{COLUMNS, GROUPS, Group, MOUSE};
use super::rebind::{Rebind, name_of};
use super::{modal, set_width};
use crate::session::{Action, Command, Workspace};
use crate::ui::bindings::{self, Bindings};
use crate::ui::theme::{self, AROUND, BETWEEN, INSIDE, ROW_HEIGHT};
use crate::ui::{keys, widgets};

const KEYS_WIDTH: f32 = 920.0;
/// What the list of keys leaves of the window's height to its own title and button.
const KEYS_AROUND: f32 = 152.0;
const LINE_HEIGHT: f32 = ROW_HEIGHT - INSIDE;
const FILTER_WIDTH: f32 = 200.0;

/// The list of keys as it is looked at.
#[derive(Debug, Default)]
pub(super) struct Keys {
    filter: String,
    /// Whether commands without a key are listed too; a filter finds them anyway.
    lists_all: bool,
    rebind: Rebind,
    has_begun: bool,
    /// The greatest height that the list had: it does not shrink while a filter is typed.
    height: f32,
}

/// What a row is drawn from.
struct Rows<'a> {
    bindings: &'a Bindings,
    rebind: &'a mut Rebind,
    actions: &'a mut Vec<Action>,
}

impl Keys {
    /// Takes the key that is asked for.
    pub(super) fn listen(&mut self, ui: &Ui, actions: &mut Vec<Action>) {
        self.rebind.listen(ui, &bindings::present(ui), actions);
    }

    /// All keys that matter in a workspace; whether the list is to be closed.
    pub(super) fn ui(&mut self, ui: &Ui, workspace: Workspace, actions: &mut Vec<Action>) -> bool {
        let bindings = bindings::present(ui);
        let toggled = keys::take(ui, Command::Shortcuts);
        let shown = modal("keys", ui).show(ui, |ui| {
            set_width(ui, KEYS_WIDTH.min(ui.content_rect().width() - 4.0 * AROUND));
            self.head(ui);
            ui.add_space(INSIDE);
            let height = (ui.content_rect().height() - KEYS_AROUND).max(ROW_HEIGHT);
            ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
                // The bar of the scroll area lies over what it scrolls.
                ui.set_width(ui.available_width() - AROUND);
                self.list(ui, workspace, &bindings, actions);
            });
            ui.add_space(AROUND);
            self.rebind.line(ui, &bindings, actions)
        });
        shown.inner || toggled || shown.should_close()
    }

    /// The title and, from the right, what is listed.
    fn head(&mut self, ui: &mut Ui) {
        // As high whatever is in it, so that nothing jumps when the button comes and goes.
        let (_, rect) = ui.allocate_space(Vec2::new(ui.available_width(), ROW_HEIGHT));
        let row = UiBuilder::new().max_rect(rect).layout(Layout::right_to_left(Align::Center));
        let ui = &mut ui.new_child(row);
        let is_cleared = !self.filter.is_empty()
            && widgets::icon_button(ui, ICON_CLOSE, "Clear filter of keys", "").clicked();
        if is_cleared {
            self.filter.clear();
        }
        // The button comes and goes; the field is the same one all the time.
        let field = TextEdit::singleline(&mut self.filter)
            .id_salt("filter of keys")
            .hint_text("Filter")
            .desired_width(FILTER_WIDTH)
            .margin(egui::Margin::symmetric(BETWEEN as i8, INSIDE as i8));
        let words = "Filter keys\nParts of a name or of a key, in any order";
        let field = ui.add(field).accessible_name("Filter keys").on_hover_text(words);
        if !std::mem::replace(&mut self.has_begun, true) || is_cleared {
            field.request_focus();
        }
        ui.checkbox(&mut self.lists_all, "All commands").on_hover_text("Also those that have no key");
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.add(Label::new(RichText::new("Keys").heading()).selectable(false));
        });
    }

    fn list(&mut self, ui: &mut Ui, workspace: Workspace, bindings: &Bindings, actions: &mut Vec<Action>) {
        ui.spacing_mut().item_spacing = Vec2::new(2.0 * AROUND, 0.0);
        ui.spacing_mut().interact_size.y = LINE_HEIGHT;
        ui.spacing_mut().button_padding = Vec2::new(INSIDE, 0.0);
        ui.set_min_height(self.height);
        let filter = Filter::new(&self.filter, self.lists_all, workspace);
        let mut rows = Rows { bindings, rebind: &mut self.rebind, actions };
        let groups = rows.groups(ui, &filter);
        let count = groups.len();
        ui.columns(COLUMNS, |columns| {
            for (index, (group, commands)) in groups.into_iter().enumerate() {
                // Spread evenly, and from the left where there are only few.
                let place = index * COLUMNS / count.max(COLUMNS);
                if let Some(column) = columns.get_mut(place) {
                    rows.group(column, group, &commands);
                }
            }
        });
        if !mouse(ui, &filter) && count == 0 {
            let words = format!("No command or key is called \u{201c}{}\u{201d}", self.filter.trim());
            ui.add(Label::new(RichText::new(words).color(theme::palette(ui).weak_text)).selectable(false));
        }
        self.height = self.height.max(ui.min_rect().height());
    }
}

/// Which rows are listed.
struct Filter {
    words: Vec<String>,
    lists_all: bool,
    workspace: Workspace,
}

impl Filter {
    fn new(text: &str, lists_all: bool, workspace: Workspace) -> Self {
        Self { words: text.split_whitespace().map(str::to_lowercase).collect(), lists_all, workspace }
    }

    fn finds(&self, name: &str, key: &str) -> bool {
        let row = format!("{name} {key}").to_lowercase();
        self.words.iter().all(|word| row.contains(word))
    }

    /// What is done in another workspace is listed for whoever looks for it.
    fn lists_group(&self, group: Group) -> bool {
        self.lists_all || !self.words.is_empty() || group.is_of(self.workspace)
    }

    /// A command that lost its key is listed where it can have it back.
    fn lists(&self, command: Command, key: &str, bindings: &Bindings) -> bool {
        let is_listed = self.lists_all || !self.words.is_empty();
        (is_listed || !key.is_empty() || bindings.is_changed(command)) && self.finds(command.text(), key)
    }
}

impl Rows<'_> {
    /// The groups that are listed, with their commands and keys.
    fn groups(&self, ctx: &Context, filter: &Filter) -> Vec<(Group, Vec<(Command, String)>)> {
        let commands = |group: Group| {
            let of_group = Command::ALL.iter().copied().filter(move |command| Group::of(*command) == group);
            of_group.map(|command| (command, widgets::key_text(ctx, command))).filter(|(command, key)| {
                // A row whose key is about to come stays, whatever the list would do without it.
                self.rebind.is_listening_for(*command) || filter.lists(*command, key, self.bindings)
            })
        };
        let groups = GROUPS
            .iter()
            .filter(|group| filter.lists_group(**group))
            .map(|group| (*group, commands(*group).collect::<Vec<_>>()));
        groups.filter(|(_, commands)| !commands.is_empty()).collect()
    }

    fn group(&mut self, ui: &mut Ui, group: Group, commands: &[(Command, String)]) {
        widgets::section_title(ui, group.title());
        for (command, key) in commands {
            ui.push_id(command.name(), |ui| self.command(ui, *command, key));
        }
    }

    fn command(&mut self, ui: &mut Ui, command: Command, key: &str) {
        if let Some(why) = bindings::why_fixed(command) {
            let how = format!("{key} stays as it is: {why}");
            return row(ui, command.text(), command.tooltip(), |ui| fixed(ui, key, &how));
        }
        row(ui, command.text(), command.tooltip(), |ui| {
            // From the right: keys line up, and the button beside them comes and goes.
            if self.key_button(ui, command, key) {
                self.rebind.begin(command);
            }
            if self.bindings.is_changed(command) && reset_button(ui, command) {
                let changes = self.rebind.reset(command, self.bindings);
                if !changes.is_empty() {
                    self.actions.push(Action::RememberKeys(changes));
                }
            }
        });
    }

    /// A command's key; whether it was clicked.
    fn key_button(&self, ui: &mut Ui, command: Command, key: &str) -> bool {
        let palette = theme::palette(ui);
        let shown = if key.is_empty() { "none" } else { key };
        let (text, name, fill) = if self.rebind.is_listening_for(command) {
            let held = bindings::held_text(ui.input(|input| input.modifiers), widgets::is_mac(ui));
            let text = if held.is_empty() { "Press keys…".to_owned() } else { format!("{held}…") };
            (RichText::new(text).color(palette.text), "Press keys".to_owned(), Some(palette.accent_surface))
        } else if let Some(asked) = self.rebind.key_asked_for(command) {
            let text = bindings::text(asked, widgets::is_mac(ui));
            (RichText::new(text).color(palette.warning), shown.to_owned(), None)
        } else if self.bindings.is_changed(command) {
            (RichText::new(shown).strong().color(palette.text), shown.to_owned(), None)
        } else {
            (RichText::new(shown).color(palette.weak_text), shown.to_owned(), None)
        };
        let button = Button::new(text).fill(fill.unwrap_or(Color32::TRANSPARENT));
        let response = ui
            .add(button.frame_when_inactive(fill.is_some()).min_size(Vec2::new(0.0, LINE_HEIGHT)))
            .accessible_name(format!("Key of {}: {name}", name_of(command)));
        response.on_hover_text(self.key_tooltip(ui, command, shown)).clicked()
    }

    fn key_tooltip(&self, ctx: &Context, command: Command, shown: &str) -> String {
        let mut lines = vec![format!("Key of {}: {shown}", name_of(command))];
        let text = |key| bindings::text(key, widgets::is_mac(ctx));
        if let Some(also) = self.bindings.also(command) {
            lines.push(format!("Also {}", text(also)));
        }
        if self.bindings.is_changed(command) {
            let before = bindings::default_key(command).map_or("none".to_owned(), text);
            lines.push(format!("It was {before} in the beginning"));
        }
        lines.push("Click to change it".to_owned());
        lines.join("\n")
    }
}

/// Gives a command its first key again; whether it was clicked.
fn reset_button(ui: &mut Ui, command: Command) -> bool {
    let name = format!("Reset key of {}", name_of(command));
    let was = bindings::default_key(command)
        .map_or("no key".to_owned(), |key| bindings::text(key, widgets::is_mac(ui)));
    let button = Button::new(widgets::icon_text(ICON_RESTART_ALT).color(theme::palette(ui).weak_text));
    ui.add(button.frame_when_inactive(false).min_size(Vec2::splat(LINE_HEIGHT)))
        .accessible_name(&name)
        .on_hover_text(format!("{name} to {was}"))
        .clicked()
}

/// What the mouse does, as far as it is listed; whether any of it is.
fn mouse(ui: &mut Ui, filter: &Filter) -> bool {
    let ctrl = widgets::ctrl_text(ui);
    let rows: Vec<_> = MOUSE
        .iter()
        .map(|(what, how)| (*what, how.replace("Ctrl", ctrl)))
        .filter(|(what, how)| filter.finds(what, how))
        .collect();
    if rows.is_empty() {
        return false;
    }
    widgets::section_title(ui, "Mouse and keys that stay");
    let part = rows.len().div_ceil(COLUMNS);
    ui.columns(COLUMNS, |columns| {
        for (column, part) in columns.iter_mut().zip(rows.chunks(part)) {
            for (what, how) in part {
                row(column, what, "", |ui| fixed(ui, how, "Stays as it is"));
            }
        }
    });
    true
}

/// How something is done that cannot be done otherwise.
fn fixed(ui: &mut Ui, how: &str, why: &str) {
    // Lines up with the text of buttons.
    ui.add_space(INSIDE);
    let how = RichText::new(how).color(theme::palette(ui).weak_text);
    ui.add(Label::new(how).selectable(false)).on_hover_text(why);
}

/// What is done, and how; `more` is its tooltip unless that is empty.
fn row(ui: &mut Ui, what: &str, more: &str, how: impl FnOnce(&mut Ui)) {
    Sides::new().height(LINE_HEIGHT).spacing(BETWEEN).shrink_left().truncate().show(
        ui,
        |ui| {
            let response = ui.add(Label::new(what).truncate().selectable(false));
            if !more.is_empty() {
                response.on_hover_text(more);
            }
        },
        |ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            how(ui);
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Prefs;
    use crate::ui::popups::bench::Bench;
    use egui::{Key, Modifiers, Shape};
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    const CTRL: Modifiers = Modifiers::COMMAND;

    #[test]
    fn keys_are_listed_in_groups_that_all_fit_a_small_window() {
        for size in [egui::vec2(1280.0, 720.0), egui::vec2(800.0, 500.0)] {
            let mut harness =
                Harness::builder().with_size(size).with_os(egui::os::OperatingSystem::Nix).build_ui_state(
                    |ui, (keys, closed): &mut (Keys, bool)| {
                        *closed |= keys.ui(ui, Workspace::Slice, &mut Vec::new());
                    },
                    (Keys::default(), false),
                );
            harness.run();
            for group in GROUPS.into_iter().filter(|group| group.is_of(Workspace::Slice)) {
                // "Frames" is a command too.
                assert!(harness.query_all_by_label(group.title()).next().is_some());
            }
            harness.get_by_label("Key of Merge frames: Ctrl+M");
            for name in ["Merge frames", "Select frames in a box", "Drag beside frames"] {
                harness.get_by_label(name);
            }
            let close = harness.get_by_label("Close").rect();
            let last = harness.get_by_label("Drag a handle").rect();
            assert!(size.y < 720.0 || last.bottom() < close.top(), "it shows without scrolling");
            assert!(close.bottom() < size.y && close.right() < size.x, "{close:?}");
            harness.key_press(Key::F1);
            harness.run();
            assert!(harness.state().1);
        }
    }

    /// The window with the list of keys.
    fn opened() -> Bench {
        let mut bench = Bench::new();
        bench.key(Key::F1);
        assert!(bench.is_focused("Filter keys"));
        bench
    }

    /// Clicks a command's key and presses another.
    fn give(bench: &mut Bench, button: &str, modifiers: Modifiers, key: Key) {
        bench.click(button);
        assert!(bench.sees("Press keys for "));
        bench.key_with(modifiers, key);
    }

    fn changes(bench: &Bench) -> Vec<(Command, &str)> {
        bench.harness.state().session.prefs().keys.iter().collect()
    }

    /// Whether some text on the screen ends so.
    fn paints(bench: &Bench, end: &str) -> bool {
        bench
            .harness
            .output()
            .shapes
            .iter()
            .any(|clipped| matches!(&clipped.shape, Shape::Text(shape) if shape.galley.text().ends_with(end)))
    }

    #[test]
    fn a_command_acts_by_the_key_that_it_was_given_and_no_longer_by_the_one_before() {
        let mut bench = opened();
        give(&mut bench, "Key of Duplicate frames: Ctrl+D", Modifiers::NONE, Key::K);
        assert!(bench.sees("Key of Duplicate frames: K"));
        assert_eq!(changes(&bench), [(Command::DuplicateFrames, "K")]);
        bench.key(Key::Escape);
        assert!(!bench.sees("Key of Duplicate frames"));
        bench.select(&[1]);
        bench.key_with(CTRL, Key::D);
        assert_eq!(bench.ids().len(), 8);
        bench.key(Key::K);
        assert_eq!(bench.ids().len(), 9);
        bench.click("Filter");
        bench.key(Key::K);
        assert_eq!(bench.ids().len(), 9, "letters are the field's");
    }

    #[test]
    fn a_command_without_a_key_gets_one_and_gives_it_back() {
        let mut bench = opened();
        assert!(!bench.sees("Key of Revert"));
        bench.click("All commands");
        give(&mut bench, "Key of Revert: none", CTRL, Key::Y);
        assert!(bench.sees("Redo has Ctrl+Y. Take it for Revert?"));
        bench.key(Key::Enter);
        assert!(bench.sees("Key of Revert: Ctrl+Y") && bench.sees("Key of Redo: Ctrl+Shift+Z"));
        give(&mut bench, "Key of Revert: Ctrl+Y", Modifiers::NONE, Key::Backspace);
        assert!(bench.sees("Key of Revert: none"));
        assert_eq!(changes(&bench), []);
    }

    #[test]
    fn a_key_of_another_command_is_taken_only_after_a_question() {
        let mut bench = opened();
        give(&mut bench, "Key of Save: Ctrl+S", CTRL, Key::D);
        assert!(bench.sees("Duplicate frames has Ctrl+D. Take it for Save?"));
        bench.key(Key::Escape);
        assert!(bench.sees("Key of Save: Ctrl+S") && changes(&bench).is_empty());
        give(&mut bench, "Key of Save: Ctrl+S", CTRL, Key::D);
        bench.click("Cancel");
        assert!(changes(&bench).is_empty());
        give(&mut bench, "Key of Save: Ctrl+S", CTRL, Key::D);
        bench.click("Take it");
        assert!(bench.sees("Key of Save: Ctrl+D") && bench.sees("Key of Duplicate frames: none"));
        assert_eq!(changes(&bench), [(Command::DuplicateFrames, ""), (Command::Save, "Ctrl+D")]);
    }

    #[test]
    fn escape_gives_up_listening_and_keys_that_stay_are_refused() {
        let mut bench = opened();
        for (modifiers, key) in
            [(Modifiers::NONE, Key::Tab), (CTRL, Key::F), (Modifiers::ALT, Key::ArrowLeft)]
        {
            give(&mut bench, "Key of Save: Ctrl+S", modifiers, key);
            assert!(bench.sees(" stays as it is: "), "{key:?}");
            bench.key(Key::Escape);
        }
        assert!(bench.sees("Key of Save: Ctrl+S") && bench.sees("Click a key to change it"));
        assert!(changes(&bench).is_empty());
        assert!(bench.harness.query_by_label("Key of Deselect: Esc").is_none(), "it is no button");
        give(&mut bench, "Key of Save: Ctrl+S", Modifiers::NONE, Key::F1);
        assert!(bench.sees("Keys has F1."));
        bench.key(Key::Escape);
        bench.click("Key of Save: Ctrl+S");
        bench.click("Filter keys");
        assert!(bench.sees("Click a key to change it"), "a press elsewhere gives up too");
    }

    #[test]
    fn one_key_or_all_are_reset() {
        let mut bench = opened();
        assert!(!bench.sees("Reset"));
        give(&mut bench, "Key of Save: Ctrl+S", CTRL, Key::J);
        give(&mut bench, "Key of Undo: Ctrl+Z", CTRL, Key::U);
        bench.click("Reset key of Save");
        assert!(bench.sees("Key of Save: Ctrl+S"));
        assert_eq!(changes(&bench), [(Command::Undo, "Ctrl+U")]);
        give(&mut bench, "Key of Save: Ctrl+S", CTRL, Key::Z);
        bench.click("Reset all keys (2)");
        assert!(bench.sees("Give all commands the keys they began with?"));
        bench.click("Cancel");
        assert_eq!(changes(&bench).len(), 2);
        bench.click("Reset all keys (2)");
        bench.click("Reset");
        assert!(bench.sees("Key of Save: Ctrl+S") && bench.sees("Key of Undo: Ctrl+Z"));
        assert_eq!(changes(&bench), []);
    }

    #[test]
    fn a_filter_finds_commands_by_name_and_key_with_and_without_one() {
        let mut bench = opened();
        let close = bench.harness.get_by_label("Close").rect();
        bench.text("rever");
        assert_eq!(bench.harness.get_by_label("Close").rect(), close, "nothing jumps");
        assert!(bench.sees("Key of Revert: none") && !bench.sees("Key of Save"));
        bench.click("Clear filter of keys");
        bench.text("ctrl+alt+s");
        assert!(bench.sees("Key of Save all: Ctrl+Alt+S") && !bench.sees("Key of Undo"));
        bench.text("nothing");
        assert!(bench.sees("No command or key is called "));
    }

    #[test]
    fn everything_shows_the_present_key() {
        let mut bench = Bench::new();
        let given = [(Command::Save, "Ctrl+J"), (Command::Palette, "Ctrl+K"), (Command::SelectTool, "B")];
        let given = given.map(|(command, key)| (command, Some(key.to_owned())));
        bench.perform(Action::RememberKeys(given.to_vec()));
        let tooltip = widgets::command_tooltip(&bench.harness.ctx, Command::Save);
        assert!(tooltip.starts_with("Save (Ctrl+J)\n"), "{tooltip}");
        bench.click("File");
        assert!(paints(&bench, "Ctrl+J") && !paints(&bench, "Ctrl+S"), "the menu");
        bench.key(Key::Escape);
        bench.key_with(CTRL, Key::P);
        assert!(!bench.sees("Find a command"));
        bench.key_with(CTRL, Key::K);
        assert!(bench.sees("Find a command"));
        bench.text("save");
        assert!(paints(&bench, "Ctrl+J"), "commands by name");
        bench.key_with(CTRL, Key::K);
        assert!(!bench.sees("Find a command"), "the key that opened it closes it");
        bench.command(Command::DrawTool);
        assert!(paints(&bench, "; B selects again"), "the hint");
    }

    #[test]
    fn keys_outlive_a_restart() {
        let mut bench = opened();
        give(&mut bench, "Key of Save: Ctrl+S", CTRL | Modifiers::SHIFT, Key::J);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("preferences.json");
        std::fs::write(&file, bench.harness.state().session.prefs().to_bytes()).unwrap();
        let bindings = Bindings::new(&Prefs::load(&file).keys);
        assert_eq!(bindings.key(Command::Save), bindings::parse("Ctrl+Shift+J"));
        assert_eq!(bindings.changed().collect::<Vec<_>>(), [Command::Save]);
    }
}
