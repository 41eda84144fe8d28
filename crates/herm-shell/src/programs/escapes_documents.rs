//! Typesetting, images, sound and documents: what these read, write, load and run.

use super::arguments::Parsed;
use super::kinds::{HELP, hook, reader};
use super::schema::{Do, Operands, Program, Role, Source, Syntax, attached, flag, program, quiet, value};
use crate::effect::{Flags, Target, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

const SHELL: Role = Role::Code(Lang::Shell);

/// The family.
pub(super) static PROGRAMS: &[Program] = &[
    program(&["tex", "latex", "pdftex", "pdflatex", "xetex", "xelatex", "luatex", "lualatex", "etex", "ptex", "platex", "uplatex", "context", "dvilualatex"])
        .syntax(Syntax::SingleDash)
        .options(&[
            flag("--help -help --version -version", Do::Stop),
            attached("-shell-escape --shell-escape -enable-write18 --enable-write18 -interaction --interaction -jobname --jobname", Do::Nothing),
            attached("-output-directory --output-directory -fmt --fmt -ini -synctex --synctex -output-format", Do::Nothing),
            quiet("-halt-on-error --halt-on-error -file-line-error -recorder -draftmode --draftmode -shell-restricted"),
        ])
        .operands(Operands::None)
        .refine(tex),
    program(&["latexmk", "arara", "rubber", "tectonic", "texfot"])
        .syntax(Syntax::SingleDash)
        .options(&[
            HELP,
            attached("-pdflatex -latex -lualatex -xelatex -dvips -bibtex -biber -makeindex", Do::Is(SHELL)),
            value("-e", Role::Code(Lang::Perl)),
            value("-r", Role::Script(Lang::Perl)),
            attached("-jobname -outdir -auxdir -output-directory -usepretex", Do::Nothing),
            quiet("-pdf -dvi -ps -pvc -c -C -f -g -silent -quiet -cd"),
        ])
        .operands(Operands::None)
        .refine(tex_file),
    program(&["dvips", "odvips"]).options(&[flag("-R0", Do::Emit(super::schema::deed(Verb::Execute, super::schema::Aim::Paths, Flags::HOOK.and(Flags::INTERACTIVE)))), quiet("-R1 -R2"), value("-o", Role::Inert), attached("-D -E -P -t -p -l", Do::Nothing)]).all(Role::Read).refine(dvips),
    program(&["pandoc"])
        .options(&[
            HELP,
            value("-F --filter", Role::Program),
            value("-L --lua-filter", Role::Plugin(Lang::Lua)),
            value("-o --output --log", Role::Write),
            value("-A -B -H -c --css --template -d --defaults --metadata-file --bibliography --csl --reference-doc --include-in-header --include-before-body --include-after-body", Role::Read),
            value("--pdf-engine", Role::Inert),
            value("-f --from -r --read -t --to -w --write -M --metadata -V --variable --columns --toc-depth --highlight-style --resource-path --data-dir --extract-media", Role::Inert),
            quiet("-s --standalone --toc -N --self-contained --mathjax -v --verbose --quiet"),
        ])
        .all(Role::Read)
        .stdout(Source::Input),
    program(&["groff", "nroff", "troff", "gtroff", "eqn", "tbl", "pic", "grn", "refer", "soelim", "zsoelim", "preconv", "neqn", "geqn", "gtbl", "gpic", "mandoc", "ptroff"])
        .options(&[
            quiet("-a -b -c -C -e -E -g -G -i -j -k -l -N -p -R -s -S -t -V -X -z -Z -U -h"),
            attached("-d -D -f -F -I -K -L -m -M -n -o -P -r -T -w -W", Do::Nothing),
        ])
        .all(Role::Read)
        .stdout(Source::Input)
        .env(&[("GROFF_BIN_PATH", Role::Library)])
        .refine(troff),
    program(&["enscript", "a2ps", "nenscript"])
        .options(&[
            HELP,
            value("-I --filter", SHELL),
            value("-o -p --output", Role::Write),
            attached("-E --highlight -U -u -C -M -b -f -F -L", Do::Nothing),
            quiet("-q --quiet -B -r -R -g -G"),
        ])
        .all(Role::Read)
        .stdout(Source::Input),
    program(&["exiftool"])
        .syntax(Syntax::SingleDash)
        .options(&[
            attached("-filename -FileName -directory -Directory", Do::Is(Role::Write)),
            value("-o -w -W", Role::Write),
            value("-if -if2 -if5", Role::Code(Lang::Perl)),
            value("-p -api", Role::Inert),
            value("-@ -csv -json", Role::Read),
            value("-config", Role::Script(Lang::Perl)),
            value("-ext -i -x -d -c -charset -lang -tagsFromFile", Role::Inert),
        ])
        .all(Role::Read)
        .stdout(Source::Input)
        .refine(renamed),
    program(&["ffplay", "ffprobe", "mpv", "mplayer", "vlc", "cvlc", "play"])
        .syntax(Syntax::SingleDash)
        .options(&[
            flag("-version -h -help --help --version", Do::Stop),
            value("-i -playlist --playlist", Role::Read),
            value("--script --scripts", Role::Script(Lang::Lua)),
            value("--stream-record --o", Role::Write),
            value("-af -vf -f -v -loglevel -show_entries -of -select_streams -print_format", Role::Inert),
        ])
        .all(Role::Read)
        .refine(ladspa),
    program(&["ffmpeg", "avconv", "sox", "rec"])
        .syntax(Syntax::SingleDash)
        .options(&[
            flag("-version -h -help --help --version -formats -codecs", Do::Stop),
            value("-i", Role::Read),
            value("-af -vf -filter_complex -lavfi -filter:a -filter:v", Role::Inert),
            value("-f -c -c:v -c:a -vcodec -acodec -b -b:v -b:a -r -s -t -ss -to -map -metadata -preset -crf -pix_fmt -movflags -profile:v -level -framerate -loglevel -v -threads", Role::Inert),
            quiet("-y -n -hide_banner -nostdin -stats -nostats -an -vn -sn -dn -shortest -re"),
            value("--script --scripts", Role::Script(Lang::Lua)),
            value("--stream-record --o", Role::Write),
        ])
        .operands(Operands::Rest(Role::Write))
        .refine(ladspa),
    program(&["gimp", "gimp-console*", "inkscape", "blender", "freecad", "freecadcmd", "openscad", "libreoffice", "soffice", "krita"])
        .options(&[
            HELP,
            flag("--headless --batch -i --no-interface -d -f -s", Do::Nothing),
            value("-b --batch-interpreter", Role::Inert),
            value("--python-expr -c", Role::Code(Lang::Python)),
            value("-P --python", Role::Script(Lang::Python)),
            value("--actions --export-filename --convert-to --outdir", Role::Inert),
        ])
        .operands(Operands::Rest(Role::Read))
        .refine(gimp),
    program(&["convert", "magick", "identify", "mogrify", "composite", "montage", "gm", "display", "animate", "import", "rsvg-convert", "cwebp", "optipng", "jpegoptim", "pngquant"])
        .options(&[value("-resize -quality -crop -geometry -density -background -fill -font -pointsize -compress -define -gravity -format -size -rotate -blur -colors", Role::Inert)])
        .operands(Operands::LastIs(Role::Read, Role::Write)),
    program(&["qpdf"])
        .syntax(Syntax::SingleDash)
        .options(&[
            HELP,
            flag("--empty", Do::Operands(Operands::Rest(Role::Write))),
            attached("--show-attachment --key --password --encrypt", Do::Nothing),
            value("--add-attachment --password-file --overlay --underlay --job-json-file", Role::Read),
        ])
        .operands(Operands::LastIs(Role::Read, Role::Write))
        .stdout(Source::Input),
    program(&["zathura"])
        .options(&[
            HELP,
            value("-p --plugins-dir", Role::Library),
            value("-x --synctex-editor-command", SHELL),
            value("-c --config-dir -d --data-dir -e --reparent -l --log-level -P --page -w --password --mode -f --find", Role::Inert),
            quiet("--fork"),
        ])
        .all(Role::Read),
    program(&["pdftk", "mutool", "pdftotext", "pdftohtml", "pdfimages", "pdfinfo", "pdfunite", "pdfseparate", "gs", "ghostscript", "ps2pdf", "pdf2ps", "ocrmypdf", "wkhtmltopdf", "weasyprint", "evince", "xpdf", "djview"])
        .syntax(Syntax::SingleDash)
        .options(&[
            HELP,
            flag("-dSAFER -dNOSAFER -dBATCH -dNOPAUSE -q", Do::Nothing),
            attached("--show-attachment", Do::Nothing),
            value("--add-attachment --password-file --overlay --underlay", Role::Read),
            value("-sOutputFile -o", Role::Write),
            attached("-sDEVICE -r", Do::Nothing),
            value("-c", Role::Inert),
        ])
        .all(Role::Read)
        .stdout(Source::Input)
        .refine(ghostscript),
    program(&["redcarpet", "kramdown", "markdown", "cmark", "multimarkdown", "asciidoctor", "asciidoc", "rst2html", "rst2html.py", "docutils", "sphinx-build", "mkdocs", "mdbook", "jekyll"])
        .options(&[HELP, value("-o --output --out-file", Role::Write), value("-r --require -T -b -D -d --backend", Role::Inert)])
        .all(Role::Read)
        .stdout(Source::Input),
    program(&["hugo"])
        .options(&[
            HELP,
            value("-s --source -c --contentDir", Role::Read),
            value("-d --destination", Role::Inert),
            value("-b --baseURL -t --theme --themesDir -e --environment --config --configDir --cacheDir --logLevel -l --layoutDir", Role::Inert),
        ])
        .all(Role::Read)
        .stdout(Source::Input)
        .refine(|parsed, sink| {
            if let Some(directory) = parsed.value("-d --destination") {
                sink.path(Verb::Write, directory, Flags::METADATA);
            }
        }),
    reader(&["yelp", "xmore", "xless", "xpad", "atobm", "bmtoa", "xmodmap", "xrdb", "eog", "feh"]).options(&[value("-display -bg -fg -fn -geometry", Role::Inert), value("-f --file", Role::Read)]),
    program(&["aspell", "ispell", "hunspell", "enchant"]).options(&[value("-c --check -d --lang --mode -p --personal", Role::Read), attached("--master --dict-dir --conf", Do::Nothing)]).all(Role::Read).stdout(Source::Input),
    program(&["genisoimage", "mkisofs", "xorriso", "xorrisofs", "mksquashfs"])
        .options(&[value("-o -outdev", Role::Write), value("-sort -path-list -f -pf -ef", Role::Read), value("-V -A -p -d -comp -b -c -no-emul-boot", Role::Inert), value("-P", Role::Inert), quiet("-J -R -r -q -l -ll")])
        .all(Role::Read)
        .stdout(Source::Input),
    program(&["unsquashfs"])
        .syntax(Syntax::SingleDash)
        .options(&[
            flag("-v -version -h -help -s -stat -l -ls -ll -lls -lln", Do::Nothing),
            value("-d -dest", Role::Write),
            value("-e -ef -exf -pf -o -offset -p -processors -da -fr", Role::Inert),
            quiet("-f -force -n -no -q -quiet -i -info -x -no-xattrs -cat"),
        ])
        .operands(Operands::Each(&[Role::Read, Role::Inert])),
    program(&["scrot", "maim", "flameshot", "gnome-screenshot", "screencapture"]).options(&[HELP, value("-e --exec", SHELL), value("-d --delay -q --quality -t --thumb -a -n -p", Role::Inert), value("-F --file", Role::Write)]).all(Role::Write),
    program(&["cupsfilter", "cups-config", "lpadmin", "lpstat", "cancel", "lpq", "lprm"]).options(&[value("-i -m -o -n -p -P -t -U -d -h", Role::Inert), value("-c -e", Role::Inert)]).all(Role::Read).stdout(Source::Input),
    program(&["efax"]).options(&[value("-c -o -q -s -l -x", Role::Inert), value("-d -t", Role::Read)]).all(Role::Read),
    program(&["dosbox", "dosbox-x", "dosbox-staging"])
        .syntax(Syntax::SingleDash)
        .options(&[flag("-version --version -printconf --printconf", Do::Stop), value("-c", Role::Inert), value("-conf --conf", Role::Read), value("-machine -lang", Role::Inert), quiet("-exit -fullscreen -noconsole -securemode")])
        .all(Role::Read)
        .refine(super::dos::mounted),
    program(&["volatility", "vol.py", "vol"]).options(&[HELP, value("-p --plugins", Role::Library), value("-f", Role::Read), value("-l -w --profile", Role::Inert)]).operands(Operands::None),
];

/// With shell escapes on, `\write18{CODE}` runs; without, `\input{FILE}` still reads.
fn tex(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    let escapes = parsed.has("-shell-escape --shell-escape -enable-write18 --enable-write18");
    for argument in &parsed.operands {
        let operand = argument.value.clone();
        let is_code = operand.known_prefix().starts_with('\\');
        let text = if is_code { operand } else { sink.read(&operand) };
        if let Some(text) = text.known() {
            tex_text(&text, escapes, sink);
        }
    }
}

fn tex_file(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for argument in &parsed.operands {
        let text = sink.read(&argument.value);
        if let Some(text) = text.known() {
            tex_text(&text, false, sink);
        }
    }
}

fn tex_text(text: &str, escapes: bool, sink: &mut dyn Sink) {
    for part in text.split("\\openout").skip(1) {
        let target = part.split_once('=').map_or("", |(_, rest)| rest);
        let path = target.split(['\\', ' ', '\n', '}']).next().unwrap_or_default();
        if !path.is_empty() {
            sink.path(Verb::Write, &Value::literal(path), Flags::TRUNCATE);
        }
    }
    for (name, runs) in [
        ("\\write18{", true),
        ("\\input{", false),
        ("\\verbatiminput{", false),
        ("\\lstinputlisting{", false),
        ("\\directlua{", true),
    ] {
        for part in text.split(name).skip(1) {
            let inner = part.split('}').next().unwrap_or_default();
            match (runs, escapes, name) {
                (true, _, "\\directlua{") => {
                    sink.code(Lang::Lua, &Value::literal(inner));
                }
                (true, true, _) => hook(&Value::literal(inner), Flags::NONE, sink),
                (true, false, _) => {}
                (false, _, _) => {
                    sink.read(&Value::literal(inner));
                }
            }
        }
    }
    // Plain TeX needs no braces.
    for part in text.split("\\input ").skip(1) {
        let file = part.split_whitespace().next().unwrap_or_default();
        sink.read(&Value::literal(file));
    }
}

/// `.so FILE` shows a file; `-U` permits `.sy` and, in drawings, `sh XcodeX`, which run a command.
fn troff(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let unsafe_mode = parsed.has("-U");
    if unsafe_mode && parsed.operands.is_empty() && sink.at_terminal() {
        let flags = Flags::HOOK | Flags::INTERACTIVE;
        sink.effect(Verb::Execute, Target::Code(Lang::Shell, None), flags, Provenance::NONE);
    }
    let input = sink.stdin();
    for line in input.known().iter().flat_map(|text| text.lines()) {
        if let Some(file) = line.strip_prefix(".so ") {
            sink.read(&Value::literal(file.trim()));
        }
        let runs = line.strip_prefix(".sy ").or_else(|| line.strip_prefix(".pso ")).or_else(|| drawn(line));
        if let Some(code) = runs.filter(|_| unsafe_mode) {
            hook(&Value::literal(code), Flags::NONE, sink);
        }
    }
}

/// The command in `sh XcodeX`, whatever letter X is.
fn drawn(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("sh ")?.trim();
    let mark = rest.chars().next()?;
    rest.strip_prefix(mark)?.split(mark).next().map(str::trim)
}

/// `-o FILE`, or `-o '!CODE'` for a pipe.
fn dvips(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for output in parsed.values("-o") {
        match super::kinds::strip_prefix(output, "!").or_else(|| super::kinds::strip_prefix(output, "|")) {
            Some(code) => hook(&code, Flags::NONE, sink),
            None => sink.path(Verb::Write, output, Flags::TRUNCATE),
        }
    }
}

/// `exiftool -filename=NEW OLD` moves the file.
fn renamed(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.has("-filename -FileName -directory -Directory") {
        for argument in &parsed.operands {
            sink.path(Verb::Delete, &argument.value, Flags::MOVE);
        }
    }
}

/// Audio filters may be shared objects: `ladspa=file=PATH`.
fn ladspa(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for filter in parsed.values("-af -vf -filter_complex -lavfi -filter:a -filter:v") {
        let Some(text) = filter.known() else { continue };
        for part in text.split("file=").skip(1).filter(|_| text.contains("ladspa") || text.contains("frei0r"))
        {
            let path = part.split([':', ',', '\'']).next().unwrap_or_default();
            sink.path(Verb::Execute, &Value::literal(path), Flags::HOOK);
        }
    }
}

/// GIMP's batch language is Scheme or, by name, Python.
fn gimp(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let python = parsed
        .values("--batch-interpreter")
        .any(|name| name.known().is_some_and(|name| name.contains("python")));
    if parsed.program.starts_with("gimp") {
        for code in parsed.values("-b") {
            let lang = if python { Lang::Python } else { Lang::Other("scheme") };
            sink.code(lang, &scheme_python(code));
        }
    }
}

/// `(python-fu-eval RUN-NONINTERACTIVE "CODE")` is Python after all.
fn scheme_python(code: &Value) -> Value {
    let inner = code.known().and_then(|text| {
        text.contains("python-fu").then(|| text.split('"').nth(1).map(Value::literal)).flatten()
    });
    inner.unwrap_or_else(|| code.clone())
}

/// PostScript given on the command line can open pipes: `(%pipe%cmd)`.
fn ghostscript(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let input = sink.stdin();
    for text in parsed.values("-c").chain([&input]).filter_map(Value::known) {
        for part in text.split("%pipe%").skip(1) {
            hook(&Value::literal(part.split(')').next().unwrap_or_default()), Flags::NONE, sink);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::drawn;

    #[test]
    fn any_letter_parts_a_drawn_command() {
        assert_eq!(drawn("sh X ls -l X"), Some("ls -l"));
        assert_eq!(drawn("sh {ls{"), Some("ls"));
        assert_eq!(drawn("show"), None);
    }
}
