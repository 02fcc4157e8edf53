# shellcheck shell=bash
# Drives the program in a screen of its own, with a real pointer and a real keyboard. To be sourced.
#
#   screen_open               an X server of 1280 x 720 and a window manager that fills it with each window
#   program_start ARGUMENTS   starts PROGRAM and waits for its window
#   program_quit              quits it by its key and checks that it left well
#   click X Y, press KEY...   pointer and keyboard; xdotool's names of keys
#   drag X Y TO_X TO_Y        the button goes down at the first point and up at the second
#   write TEXT                types a text
#   photograph NAME           the whole screen to PHOTOS/NAME.png; fails when it is blank
#   wait_for SECONDS WHAT COMMAND...  until a command succeeds
#   check WHAT COMMAND...     fails, in words, when a command does
#
# The sourcing script sets PROGRAM and PHOTOS. SCRATCH is a folder that goes away with the script.

readonly SCREEN=1280x720
# A window that draws anything at all has more colours than this.
readonly BLANK_COLOURS=50
readonly START_SECONDS=60

SCRATCH=$(mktemp -d -t cutsheet-window-XXXXXX)
server_pid='' manager_pid='' program_pid=''

fail() {
    printf 'FAILED: %s\n' "$*" >&2
    if [[ -n $program_pid ]]; then
        import -window root "$PHOTOS/failed.png" 2>/dev/null && echo "The screen then: $PHOTOS/failed.png" >&2
    fi
    if [[ -s $SCRATCH/program.log ]]; then
        echo "The program said:" >&2
        tail -n 30 "$SCRATCH/program.log" >&2
    fi
    exit 1
}

# Ends what was started here, the last first, and waits, so that nobody writes into a folder that goes away.
clean_up() {
    local pid
    for pid in $program_pid $manager_pid $server_pid; do
        kill "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    rm -rf "$SCRATCH"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

wait_for() {
    local seconds=$1 what=$2 deadline=$((SECONDS + $1))
    shift 2
    until "$@" >/dev/null 2>&1; do
        ((SECONDS < deadline)) || fail "$what: not within $seconds s"
        [[ -z $program_pid ]] || kill -0 "$program_pid" 2>/dev/null || fail "$what: the program has ended"
        sleep 0.1
    done
    printf 'ok: %s\n' "$what"
}

check() {
    local what=$1
    shift
    "$@" || fail "$what: $*"
    printf 'ok: %s\n' "$what"
}

screen_open() {
    local tool
    for tool in Xvfb openbox xdotool xwininfo import identify; do
        command -v "$tool" >/dev/null || fail "there is no $tool here; tests/all says what to install"
    done
    mkdir -p "$PHOTOS"
    rm -f "$PHOTOS/failed.png"
    Xvfb -displayfd 3 -screen 0 ${SCREEN}x24 -nolisten tcp 3>"$SCRATCH/display" 2>"$SCRATCH/server.log" &
    server_pid=$!
    wait_for 20 "a screen of $SCREEN" test -s "$SCRATCH/display"
    DISPLAY=:$(<"$SCRATCH/display")
    export DISPLAY
    unset WAYLAND_DISPLAY
    # Nothing of the user's is read or written.
    export HOME=$SCRATCH/home XDG_CONFIG_HOME=$SCRATCH/home/config XDG_CACHE_HOME=$SCRATCH/home/cache \
        XDG_DATA_HOME=$SCRATCH/home/data CUTSHEET_CONFIG_DIR=$SCRATCH/home/cutsheet
    mkdir -p "$HOME"
    cat >"$SCRATCH/openbox.xml" <<'XML'
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <applications>
    <application class="*" type="normal"><decor>no</decor><maximized>yes</maximized></application>
  </applications>
</openbox_config>
XML
    openbox --config-file "$SCRATCH/openbox.xml" >"$SCRATCH/manager.log" 2>&1 &
    manager_pid=$!
    wait_for 20 "a window manager" xdotool get_desktop
}

program_start() {
    [[ -x $PROGRAM ]] || fail "there is no $PROGRAM; \`cargo build\` makes it"
    "$PROGRAM" "$@" >"$SCRATCH/program.log" 2>&1 </dev/null &
    program_pid=$!
    wait_for $START_SECONDS "a window fills the screen" window_is_there
    timeout 10 xdotool windowactivate --sync "$window" || fail "the window does not get the keyboard"
    settle
}

window_is_there() {
    # The first hit may be a window of the toolkit's own; the one that fills the screen is it.
    for window in $(xdotool search --onlyvisible --name Cutsheet); do
        [[ $(xdotool getwindowgeometry "$window") == *"Geometry: $SCREEN"* ]] && return
    done
    return 1
}

program_quit() {
    local deadline=$((SECONDS + 20)) status=0
    xdotool key ctrl+q
    while kill -0 "$program_pid" 2>/dev/null; do
        ((SECONDS < deadline)) || fail "the program did not quit"
        sleep 0.1
    done
    wait "$program_pid" || status=$?
    program_pid=''
    check "the program leaves with status 0" test "$status" -eq 0
}

# Waits until nothing moves on the screen any more, but not for ever: a caret blinks.
settle() {
    local before='' now i
    for ((i = 0; i < 20; i++)); do
        sleep 0.15
        now=$(import -window root rgb:- | cksum)
        [[ $now == "$before" ]] && return
        before=$now
    done
}

click() {
    # A moment over the target before and between, as a hand has it.
    xdotool mousemove "$1" "$2" sleep 0.1 click 1 sleep 0.1
    settle
}

drag() {
    local step steps=12
    # A busy machine that is told of the press and of the way in one go takes what lies on the way.
    xdotool mousemove "$1" "$2" sleep 0.2 mousedown 1 sleep 0.5
    for ((step = 1; step <= steps; step++)); do
        xdotool mousemove $(($1 + ($3 - $1) * step / steps)) $(($2 + ($4 - $2) * step / steps)) sleep 0.03
    done
    # A moment over the target, as a hand has it.
    xdotool sleep 0.5 mouseup 1 sleep 0.1
    settle
}

press() {
    xdotool key --delay 60 "$@"
    settle
}

write() {
    xdotool type --delay 60 "$1"
    settle
}

photograph() {
    local file=$PHOTOS/$1.png colours
    settle
    import -window root "$file"
    colours=$(identify -format %k "$file")
    check "photograph $1 shows something ($colours colours)" test "$colours" -gt $BLANK_COLOURS
}
