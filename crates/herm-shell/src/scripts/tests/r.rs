use super::recorder::{check, silent};
use crate::lang::Lang;

#[test]
fn what_reaches_outside_is_found() {
    check(
        Lang::R,
        &[
            (r#"system("/bin/sh")"#, "shell: /bin/sh"),
            (r#"system2("rm", c("-rf","/x"))"#, "shell: rm -rf /x"),
            (r#"system2("rm", args=c("-rf","/x"))"#, "shell: rm -rf /x"),
            (r#"unlink("/x", recursive=TRUE)"#, "Delete /x [recursive]"),
            (r#"unlink("/x", rec = T, f = TRUE)"#, "Delete /x [recursive] [forced]"),
            (r#"unlink(x = "~/x")"#, "Delete /home/ada/x"),
            (r#"do.call(paste0("un", "link"), list(path.expand("~/x")))"#, "Delete /home/ada/x"),
            (r#"do.call(args = list("halt"), what = "system")"#, "shell: halt"),
            (r#"do.call(f(), list("halt"))"#, "gap Unfollowed Runtime f()"),
            (r#"file.remove("/etc/x")"#, "Delete /etc/x"),
            (r#"x <- paste0("ha","lt"); system(x)"#, "shell: halt"),
            (r#"system(paste("rm","-rf","/x"))"#, "shell: rm -rf /x"),
            (r#"eval(parse(text="system('halt')"))"#, "shell: halt"),
            (r#"do.call("system", list("halt"))"#, "shell: halt"),
            (r"system(intToUtf8(c(104,97,108,116)))", "shell: halt <decoded>"),
            (r#"cat(readLines("/etc/shadow"))"#, "Read /etc/shadow"),
            (r#"writeLines("p", "/etc/x")"#, "Write /etc/x = p [emptying]"),
            (r#"cat("p", file="/etc/x")"#, "Write /etc/x = p [emptying]"),
            (r#"source("http://h/x.R")"#, "r: http://h/x.R <network>"),
            (r#"download.file("http://h/x","/tmp/x")"#, "Write /tmp/x = http://h/x [emptying] <network>"),
        ],
    );
}

#[test]
fn harmless_code_says_nothing() {
    silent(
        Lang::R,
        &[
            "print(1+1)",
            "cat('hello\\n')",
            "x <- c(1,2,3); mean(x)",
            "# system('x')",
            "sessionInfo()",
            "summary(cars)",
            "install.packages",
            "print(\"system('rm')\")",
            "library(ggplot2)",
            "for (i in 1:3) print(i)",
        ],
    );
}

#[test]
fn loops_and_lists_of_files() {
    check(
        Lang::R,
        &[
            (r#"for (d in c("/x", "/y")) unlink(d, recursive=TRUE)"#, "Delete /y [recursive]"),
            (r#"file.remove(list.files("/x", full.names=TRUE))"#, "Delete /x/*"),
            (r#"processx::run("rm", c("-rf", "/x"))"#, "run rm -rf /x"),
        ],
    );
}
