// A team that writes Rust, with the client that openapi-generator makes.
extern crate reqwest;
extern crate serde;
extern crate serde_json;
extern crate watchword;

use serde::de::DeserializeOwned;
use serde::Serialize;
use serde_json::{json, Value};
use std::rc::Rc;
use watchword::apis::configuration::Configuration;
use watchword::apis::{MessagesApi, MessagesApiClient, NotificationsApi, NotificationsApiClient};
use watchword::apis::{VerificationApi, VerificationApiClient};
use watchword::models::*;

include!("schemas.rs");

const UNKNOWN: &str = "req_00000000000000000000000000";

fn advice(code: &str) -> &str {
    match code {
        "resend_cooldown" => "wait a minute",
        "send_limit_reached" => "come back later",
        "rate_limited" => "ask less often",
        _ => "report it",
    }
}

fn drive(url: &str, key: &str) -> Value {
    let configuration = Rc::new(connect(url, key));
    let verification = VerificationApiClient::new(configuration.clone());
    let messages = MessagesApiClient::new(configuration.clone());
    let notifications = NotificationsApiClient::new(configuration);
    let check = |id: &str, code: &str| {
        let request = CheckVerificationRequest::new(id.to_string(), code.to_string());
        verification.check_verification(request, None).unwrap().data
    };

    let mut request = SendVerificationRequest::new("+14155550100".to_string());
    request.brand_name = Some("Acme".to_string());
    let once = format!("drive-{}", std::process::id());
    let sent = verification.send_verification(request.clone(), Some(&once)).unwrap().data;
    let again = verification.send_verification(request, Some(&once)).unwrap().data;
    let wrong = check(&sent.request_id, "123456");
    let right = check(&sent.request_id, "000000");
    let message = messages.get_message(&sent.request_id).unwrap().data;
    let mut welcome = SendNotificationRequest::new("+14155550100".to_string(), "welcome".to_string());
    let bare = welcome.clone();
    welcome.variables = Some([("name".to_string(), json!("Ada"))].into_iter().collect());
    let notified = notifications.send_notification(welcome, None).unwrap().data;
    let listed = all_pages(&messages);

    let send = |phone: &str| SendVerificationRequest::new(phone.to_string());
    let post = |path: &str, key: &str, body: Value| {
        reqwest::blocking::Client::new().post(format!("{url}{path}")).bearer_auth(key).json(&body).send().unwrap()
    };
    let hasty: LimitedSendVerificationError =
        refused(429, post("/v1/verify/send", key, json!(send("+14155550160"))));
    let invalid: InvalidSendVerificationError = refused(400, post("/v1/verify/send", key, json!(send("0100"))));
    let unfilled: InvalidSendNotificationError = refused(400, post("/v1/notifications/send", key, json!(bare)));
    let nothing = CheckVerificationRequest::new(UNKNOWN.to_string(), "000000".to_string());
    let unknown: VerificationNotFoundError = refused(404, post("/v1/verify/check", key, json!(nothing)));
    let stranger: UnauthorizedError =
        refused(401, post("/v1/verify/send", "ww_test_unknown", json!(send("+14155550100"))));
    let limit = text(&hasty.data.code);
    json!({
        "sent": format!("{} for {} seconds", text(&sent.status), sent.expires_in),
        "repeated": if again.request_id == sent.request_id { "the same answer" } else { "another answer" },
        "wrongCode": judge(&wrong),
        "rightCode": judge(&right),
        "message": message.error.map_or(text(&message.status), |error| text(&error.code)),
        "listed": if listed.iter().any(|each| each.id == sent.request_id) { "there" } else { "missing" },
        "notification": text(&notified.status),
        "invalidPhone": explain(&text(&invalid.data.code), &invalid.data.details),
        "missingVariable": explain(&text(&unfilled.data.code), &unfilled.data.details),
        "unknownKey": text(&stranger.data.code),
        "unknownVerification": text(&unknown.data.code),
        "tooSoon": format!("{limit}: {} seconds", hasty.data.retry_after),
        "advice": advice(&limit),
    })
}

fn refusal(url: &str) -> Value {
    let response = reqwest::blocking::get(format!("{url}/v1/messages/{UNKNOWN}")).unwrap();
    let status = response.status().as_u16();
    let body: Value = response.json().unwrap();
    // A code that is newer than the client is in no list of it.
    let code = match serde_json::from_value::<MessageNotFoundError>(body.clone()) {
        Ok(known) => text(&known.data.code),
        Err(_) => body["data"]["code"].as_str().unwrap().to_string(),
    };
    json!(format!("{status} {code}"))
}

fn echo() -> Value {
    let examples: Vec<Value> = serde_json::from_reader(std::io::stdin()).unwrap();
    examples.iter().map(|example| read(example["schema"].as_str().unwrap(), example["value"].clone())).collect()
}

fn again<Schema: DeserializeOwned + Serialize>(value: Value) -> Value {
    json!(serde_json::from_value::<Schema>(value).unwrap())
}

fn connect(url: &str, key: &str) -> Configuration {
    let bearer_access_token = Some(key.to_string());
    Configuration { base_path: url.to_string(), bearer_access_token, ..Configuration::new() }
}

/// All messages to the phone, one on each page.
fn all_pages(messages: &MessagesApiClient) -> Vec<ListedMessage> {
    let (mut all, mut after) = (vec![], None);
    loop {
        let phone = Some("+14155550100");
        let page = messages.list_messages(phone, None, None, None, Some(1), after.as_deref()).unwrap().data;
        all.extend(page.messages);
        after = page.next;
        if after.is_none() {
            return all;
        }
    }
}

fn refused<Refusal: DeserializeOwned>(status: u16, response: reqwest::blocking::Response) -> Refusal {
    assert_eq!(response.status().as_u16(), status);
    response.json().unwrap()
}

fn judge(check: &CheckResult) -> String {
    match check {
        CheckResult::Verified { .. } => "verified".to_string(),
        CheckResult::NotVerified { reason, attempts_remaining, .. } => {
            format!("{}, {attempts_remaining} left", text(reason))
        }
    }
}

fn explain(code: &str, details: &Option<Vec<ErrorDetail>>) -> String {
    let faults = details.iter().flatten().map(|detail| format!("{} {}", detail.field, text(&detail.code)));
    format!("{code}: {}", faults.collect::<Vec<_>>().join(", "))
}

/// The value of an enum as it is sent.
fn text<Listed: Serialize>(listed: &Listed) -> String {
    json!(listed).as_str().unwrap().to_string()
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let said = match arguments[1].as_str() {
        "drive" => drive(&arguments[2], &arguments[3]),
        "refusal" => refusal(&arguments[2]),
        _ => echo(),
    };
    println!("{said}");
}
