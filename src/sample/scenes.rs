//! `level.scene` and `menu.scene`: what can be made of the sample's sheets.
//!
//! Only frames that the sample's sidecars have are drawn. The tile set and the enemies are left to be cut, so that no
//! frame of theirs can be referred to: the slabs and the ground are panels instead, and the enemies come as a whole.

use std::sync::Arc;

use super::{items, panel};
use crate::format::scene;
use crate::guid::Guid;
use crate::model::scene::{AssetRef, Color, Object, ObjectKey, Property, RenderMode, Scene, Transform};

/// A game's pixels in a metre, as textures have it that do not say it.
const PIXELS_PER_METRE: f32 = 16.0;

/// The GUIDs of the sheets that scenes refer to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sheets {
    pub(super) player: &'static str,
    pub(super) items: &'static str,
    pub(super) panel: &'static str,
    pub(super) enemies: &'static str,
}

const SKY: Color = Color([146, 214, 245, 255]);
const NIGHT: Color = Color([24, 20, 46, 255]);
/// Makes a blue button a slab of turf.
const TURF: Color = Color([255, 255, 120, 255]);
/// Makes what is far away as pale as the sky.
const FAR: Color = Color([196, 226, 255, 150]);
/// Stars that are hardly there.
const FAINT: Color = Color([120, 120, 190, 70]);

/// A small level with slabs to jump on. The object "Hero" has no sprite yet.
pub(super) fn level(sheets: Sheets) -> Vec<u8> {
    let mut maker = Maker::new("Level", SKY, sheets);
    let player = maker.draw(None, "Player", Look::player(6).at(-48.0, -44.0).order(10));
    maker.draw(player, "Sword", Look::item("sword").at(13.0, -3.0).turned(-40.0).order(11));
    maker.group(None, "Hero", -100.0, 0.0);

    let enemies = maker.group(None, "Enemies", 70.0, 24.0);
    // The feet of the slimes are on the slab, and the bats below it.
    maker.draw(enemies, "Slimes and bats", Look::whole(sheets.enemies).at(0.0, 4.0).order(5));

    let pickups = maker.group(None, "Items", 0.0, 0.0);
    for (name, x, y) in
        [("Coin 1", -64.0, 2.0), ("Coin 2", -52.0, 16.0), ("Coin 3", -36.0, 25.0), ("Coin 4", -18.0, 28.0)]
    {
        maker.draw(pickups, name, Look::item("coin").at(x, y).order(8));
    }
    for (name, item, x, y) in [
        ("Gem", "gem", -14.0, -52.0),
        ("Apple", "apple", 76.0, -51.0),
        ("Chest", "chest", 120.0, -50.0),
        ("Key", "key", -126.0, -4.0),
    ] {
        maker.draw(pickups, name, Look::item(item).at(x, y).order(8));
    }

    let slabs = maker.group(None, "Platforms", 0.0, 0.0);
    for (name, x, y, width) in [("Low slab", -100.0, -22.0, 80.0), ("High slab", 72.0, 26.0, 152.0)] {
        maker.draw(slabs, name, Look::panel("button").at(x, y).sized(width, 12.0).tinted(TURF));
    }
    let ground = maker.draw(None, "Ground", Look::panel("panel").at(0.0, -94.0).sized(320.0, 52.0));
    maker.draw(ground, "Turf", Look::panel("button").at(0.0, 28.0).sized(336.0, 16.0).tinted(TURF).order(1));
    for (name, x) in [("Left mushroom", -108.0), ("Right mushroom", 24.0)] {
        maker.draw(ground, name, Look::item("mushroom").at(x, 43.0));
    }

    let display = maker.group(None, "Display", -144.0, 104.0);
    for (name, x) in [("Heart 1", 0.0), ("Heart 2", 18.0), ("Heart 3", 36.0)] {
        maker.draw(display, name, Look::item("heart").at(x, 0.0).order(100));
    }

    let far = maker.group(None, "Background", 0.0, 0.0);
    maker.draw(far, "Sun", Look::item("coin").at(112.0, 84.0).scaled(3.0).order(-30));
    for (name, x, y, scale) in [
        ("Far mushroom", -128.0, -32.0, 4.0),
        ("Tall mushroom", -40.0, -22.0, 5.0),
        ("Small mushroom", 52.0, -38.0, 3.0),
        ("Wide mushroom", 124.0, -30.0, 4.0),
    ] {
        maker.draw(far, name, Look::item("mushroom").at(x, y).scaled(scale).tinted(FAR).order(-20));
    }
    maker.finish()
}

/// A menu of three buttons on a panel.
pub(super) fn menu(sheets: Sheets) -> Vec<u8> {
    let mut maker = Maker::new("Menu", NIGHT, sheets);
    let title = maker.draw(None, "Title", Look::item("shield").at(0.0, 78.0).scaled(3.0).order(3));
    for (name, x, turn) in [("Left sword", -4.0, -45.0), ("Right sword", 4.0, 45.0)] {
        maker.draw(title, name, Look::item("sword").at(x, 2.0).turned(turn).scaled(1.25).order(2));
    }

    let panel = maker.draw(None, "Panel", Look::panel("panel").at(0.0, -30.0).sized(176.0, 156.0));
    for (name, y, icon, frame, stars) in [
        ("Play", 44.0, "boot", "button_pressed", 3),
        ("Map", 0.0, "scroll", "button", 2),
        ("Treasures", -44.0, "chest", "button", 1),
    ] {
        let button = maker.draw(panel, name, Look::panel(frame).at(0.0, y).sized(128.0, 36.0).order(1));
        maker.draw(button, "Icon", Look::item(icon).at(-44.0, 1.0).order(2));
        for (name, x) in [("Star 1", -10.0), ("Star 2", 14.0), ("Star 3", 38.0)].into_iter().take(stars) {
            maker.draw(button, name, Look::item("star").at(x, 1.0).order(2));
        }
    }

    let cast = maker.group(None, "Cast", 0.0, -76.0);
    maker.draw(cast, "Player", Look::player(0).at(-122.0, 0.0).scaled(2.0).order(4));
    maker.draw(cast, "Potion", Look::item("potion").at(122.0, -12.0).scaled(2.0).order(4));
    let sky = Look::item("star").tiled(340.0, 256.0).tinted(FAINT).order(-10);
    maker.draw(None, "Sky", sky);
    maker.finish()
}

/// Where and how a frame is drawn. Lengths are pixels, y goes up.
#[derive(Debug, Clone)]
struct Look {
    frame: Frame,
    x: f32,
    y: f32,
    scale: f32,
    /// Degrees against the clock.
    turn: f32,
    properties: Vec<Property>,
}

#[derive(Debug, Clone, Copy)]
enum Frame {
    Item(&'static str),
    Panel(&'static str),
    /// By the frame's id.
    Player(u32),
    /// A whole sheet.
    Whole(&'static str),
}

impl Look {
    fn new(frame: Frame) -> Self {
        Self { frame, x: 0.0, y: 0.0, scale: 1.0, turn: 0.0, properties: Vec::new() }
    }

    fn item(name: &'static str) -> Self {
        Self::new(Frame::Item(name))
    }

    /// A frame of the panels, to be `sized`.
    fn panel(name: &'static str) -> Self {
        Self::new(Frame::Panel(name)).with(Property::Mode(RenderMode::NineSlice))
    }

    fn player(id: u32) -> Self {
        Self::new(Frame::Player(id))
    }

    fn whole(sheet: &'static str) -> Self {
        Self::new(Frame::Whole(sheet))
    }

    fn at(self, x: f32, y: f32) -> Self {
        Self { x, y, ..self }
    }

    fn scaled(self, scale: f32) -> Self {
        Self { scale, ..self }
    }

    fn turned(self, turn: f32) -> Self {
        Self { turn, ..self }
    }

    fn tinted(self, tint: Color) -> Self {
        self.with(Property::Tint(tint))
    }

    fn order(self, order: i32) -> Self {
        self.with(Property::SortingOrder(order))
    }

    fn tiled(self, width: f32, height: f32) -> Self {
        self.with(Property::Mode(RenderMode::Tiled)).sized(width, height)
    }

    fn sized(self, width: f32, height: f32) -> Self {
        self.with(Property::Width(metres(width))).with(Property::Height(metres(height)))
    }

    fn with(mut self, property: Property) -> Self {
        self.properties.push(property);
        self
    }
}

fn metres(pixels: f32) -> f32 {
    pixels / PIXELS_PER_METRE
}

/// A scene in the making.
struct Maker {
    scene: Scene,
    sheets: Sheets,
    /// The names of the items, each at the place of its id.
    items: Vec<&'static str>,
}

impl Maker {
    fn new(name: &str, clear_color: Color, sheets: Sheets) -> Self {
        let mut scene = Scene::new(name);
        scene.body = scene.body.with("clear_color", clear_color.to_value(None));
        let (_, found) = items::sheet();
        Self { scene, sheets, items: found.into_iter().map(|item| item.name).collect() }
    }

    /// Adds an object without a sprite, and gives its key to those who want to be its children.
    fn group(&mut self, parent: Option<ObjectKey>, name: &str, x: f32, y: f32) -> Option<ObjectKey> {
        let place = Transform { x: metres(x), y: metres(y), ..Transform::default() };
        self.add(parent, name, place, |_| ())
    }

    fn draw(&mut self, parent: Option<ObjectKey>, name: &str, look: Look) -> Option<ObjectKey> {
        let Look { frame, x, y, scale, turn, properties } = look;
        let reference = self.reference(frame);
        let place = Transform {
            x: metres(x),
            y: metres(y),
            rotation: turn,
            scale_x: scale,
            scale_y: scale,
            ..Transform::default()
        };
        self.add(parent, name, place, |object| {
            object.add_sprite(&reference);
            object.change_component(0, |data| {
                properties.iter().fold(data.clone(), |data, property| property.write_into(&data))
            });
        })
    }

    fn add(
        &mut self,
        parent: Option<ObjectKey>,
        name: &str,
        place: Transform,
        finish: impl FnOnce(&mut Object),
    ) -> Option<ObjectKey> {
        let mut object = Object::new(self.scene.take_key(), self.scene.free_id(), name);
        object.set_transform(place);
        finish(&mut object);
        let key = object.key;
        self.scene.children_mut(parent)?.push(Arc::new(object));
        Some(key)
    }

    /// A reference to a frame; to the whole of its sheet when there is no such frame.
    fn reference(&self, frame: Frame) -> AssetRef {
        let position = |found: Option<usize>| found.and_then(|at| u32::try_from(at).ok());
        let (sheet, id) = match frame {
            Frame::Item(name) => {
                (self.sheets.items, position(self.items.iter().position(|item| *item == name)))
            }
            Frame::Panel(name) => {
                (self.sheets.panel, position(panel::FRAMES.iter().position(|frame| frame.name == name)))
            }
            Frame::Player(id) => (self.sheets.player, Some(id)),
            Frame::Whole(sheet) => (sheet, None),
        };
        let source = id.zip(sheet.parse::<Guid>().ok()).map(|(id, sheet)| Guid::for_frame(sheet, id));
        let source = source.map(|guid| guid.to_string()).unwrap_or_default();
        AssetRef { guid: sheet.into(), source: source.as_str().into() }
    }

    /// The bytes of its file. All of it is small and shallow, which is all that a scene can be refused for.
    fn finish(self) -> Vec<u8> {
        scene::write(&self.scene).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::SHEETS;
    use super::*;

    /// Object, and the sheet and frame that it draws.
    type Drawn = (String, AssetRef);

    fn read(bytes: Vec<u8>) -> Scene {
        let read = scene::read(&bytes.into()).unwrap();
        assert_eq!(read.faults, []);
        read.scene
    }

    fn drawn(scene: &Scene) -> Vec<Drawn> {
        scene
            .walk()
            .filter_map(|(_, object)| Some((object.name().to_owned(), object.sprite()?.1.sprite)))
            .collect()
    }

    #[test]
    fn both_scenes_are_read_without_a_fault_and_fill_a_small_screen() {
        for (bytes, name) in [(level(SHEETS), "Level"), (menu(SHEETS), "Menu")] {
            let scene = read(bytes);
            assert_eq!((scene.name(), scene.size().width, scene.size().height), (name, 320, 240));
            assert!(drawn(&scene).len() > 12, "{name}");
        }
    }

    #[test]
    fn every_reference_has_a_sheet_and_only_the_uncut_one_is_drawn_as_a_whole() {
        let known = [SHEETS.player, SHEETS.items, SHEETS.panel, SHEETS.enemies];
        for bytes in [level(SHEETS), menu(SHEETS)] {
            for (name, AssetRef { guid, source }) in drawn(&read(bytes)) {
                assert!(known.contains(&&*guid), "{name}");
                assert_eq!(source.is_empty(), &*guid == SHEETS.enemies, "{name}");
            }
        }
    }

    #[test]
    fn the_hero_waits_for_a_sprite_and_the_player_has_a_child() {
        let level = read(level(SHEETS));
        let named = |name: &str| level.walk().map(|(_, object)| object).find(|object| object.name() == name);
        assert!(named("Hero").unwrap().sprite().is_none());
        assert_eq!(named("Player").unwrap().children[0].name(), "Sword");
    }
}
