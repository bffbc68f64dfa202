// The protocol of bench/rivals/cpp/measure.h, for the rivals in Rust.
use std::collections::HashSet;
use std::process::exit;

pub const MADE: usize = 1000;

pub fn wrong(words: &str) -> ! {
    eprintln!("wrong: {words}");
    exit(1)
}

fn usage() -> ! {
    eprintln!("usage: PROGRAM ANSWERS --name|--works|--check|WORK...");
    exit(2)
}

/// How a library handles one family. `read` gives nothing for a text that it refuses.
pub struct Codec<Id> {
    pub read: fn(&str) -> Option<Id>,
    pub write: fn(&Id) -> String,
    pub meaning: fn(&Id) -> String,
}

pub type Times = Box<dyn Fn(usize)>;

pub struct Program {
    name: String,
    folder: String,
    wanted: Vec<String>,
    works: Vec<(&'static str, Times)>,
    takes: Vec<String>,
}

impl Program {
    pub fn new(name: String) -> Program {
        let mut words = std::env::args().skip(1);
        let folder = words.next().unwrap_or_else(|| usage());
        let wanted: Vec<String> = words.collect();
        if wanted.is_empty() {
            usage()
        }
        Program { name, folder, wanted, works: Vec::new(), takes: Vec::new() }
    }

    pub fn checked<Id>(&mut self, family: &str, codec: Codec<Id>) -> (Vec<Id>, Vec<String>) {
        let path = format!("{}/{family}.tsv", self.folder);
        let lines = std::fs::read_to_string(&path).unwrap_or_else(|_| wrong(&path));
        let (mut ids, mut texts) = (Vec::new(), Vec::new());
        for line in lines.lines() {
            let [kind, text, meaning] = line.split('\t').collect::<Vec<_>>()[..] else {
                wrong(line)
            };
            let id = (codec.read)(text);
            if kind == "refuses" {
                if id.is_some() {
                    self.takes.push(format!("{family}\t{text}"));
                }
                continue;
            }
            let Some(id) = id else {
                wrong(&format!("{family} does not read {text}"))
            };
            if (codec.meaning)(&id) != meaning {
                wrong(&format!("{family} misreads {text}"))
            }
            if kind != "both" {
                continue;
            }
            if (codec.write)(&id) != text {
                wrong(&format!("{family} does not write {text}"))
            }
            ids.push(id);
            texts.push(text.to_string());
        }
        if ids.is_empty() {
            wrong(&format!("no answers for {family}"))
        }
        (ids, texts)
    }

    /// A work that makes something anew each time.
    pub fn repeat(&mut self, work: &'static str, step: impl Fn() + 'static) {
        let times = move |times: usize| {
            for _ in 0..times {
                step()
            }
        };
        self.works.push((work, Box::new(times)));
    }

    /// A work that goes round over items, so that no branch is learnt by heart.
    pub fn over<T: 'static>(
        &mut self,
        work: &'static str,
        items: Vec<T>,
        step: impl Fn(&T) + 'static,
    ) {
        let times = move |times: usize| {
            let mut at = 0;
            for _ in 0..times {
                step(&items[at]);
                at += 1;
                if at == items.len() {
                    at = 0
                }
            }
        };
        self.works.push((work, Box::new(times)));
    }

    pub fn run(&self) {
        match self.wanted[0].as_str() {
            "--name" => println!("{}", self.name),
            "--works" => self.works.iter().for_each(|(work, _)| println!("{work}")),
            "--check" => self.takes.iter().for_each(|line| println!("takes\t{line}")),
            _ => {
                for wanted in &self.wanted {
                    let found = self.works.iter().find(|(work, _)| work == wanted);
                    let (work, times) = found.unwrap_or_else(|| usage());
                    println!("{work}\t{:.3}", nanoseconds(times));
                }
            }
        }
    }
}

/// Processor time of the whole process, in seconds.
fn processor_time() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock exists on every Linux, and the pointer is to a local.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    if status != 0 {
        wrong("there is no clock of the process")
    }
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Of one operation: twice as many until they take long enough, so that the earlier ones warm up.
fn nanoseconds(times: &Times) -> f64 {
    const LONG_ENOUGH: f64 = 0.2;
    let mut count = 1000;
    loop {
        let began = processor_time();
        times(count);
        let seconds = processor_time() - began;
        if seconds >= LONG_ENOUGH {
            return seconds * 1e9 / count as f64;
        }
        count *= 2;
    }
}

pub fn check_uuids(texts: &[String], version: u8) {
    for text in texts {
        let bytes = text.as_bytes();
        if bytes.len() != 36 || bytes[14] != version || !b"89ab".contains(&bytes[19]) {
            wrong(&format!("not a UUID of that version: {text}"))
        }
    }
    if texts.iter().collect::<HashSet<_>>().len() != MADE {
        wrong("a UUID came twice")
    }
}

pub fn check_rising(texts: &[String]) {
    if texts.windows(2).any(|pair| pair[0] >= pair[1]) {
        wrong("the IDs do not rise")
    }
}
