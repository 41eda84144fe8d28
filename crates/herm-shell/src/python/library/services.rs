//! What makes clients of services.

use super::super::interpret::{Arguments, Interpreter, Object};

/// `boto3.client("ec2")`: what a session of the kind gives.
pub(super) fn cloud(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    let session = interpreter.client("aws");
    let method = Object::Method(std::rc::Rc::new((session, "client".into())));
    interpreter.invoke(&method, arguments.clone())
}

/// `psutil.Process(pid)`; without a number it is the program itself.
pub(super) fn process(interpreter: &mut Interpreter<'_>, arguments: &Arguments) -> Object {
    match arguments.get(0, "pid").map(Object::int) {
        None => interpreter.client("ps own"),
        Some(Some(number)) => interpreter.client(&format!("ps {number}")),
        Some(None) => interpreter.client("ps unknown"),
    }
}
