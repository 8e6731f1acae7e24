import Foundation
import PlacesKit
import Testing

@testable import HTTP

@Suite("What a service says about an error") struct ServiceMessageTests {
  private static let key = "AIza+Sy/4_k~e=y%&"

  private func message(_ body: String, key: String? = ServiceMessageTests.key, status: Int = 403) -> String? {
    ServiceMessage.text(of: HTTPResponse(status: status, body: Array(body.utf8)), without: KeyScrubber(key))
  }

  @Test(
    "is found in the answers of services",
    arguments: [
      (#"{"error":{"code":403,"message":"Billing is not enabled.","status":"PERMISSION_DENIED"}}"#, "Billing is not enabled."),
      (#"{"status":"REQUEST_DENIED","error_message":"This API is off.","results":[]}"#, "This API is off."),
      (#"{"message":"Not Authorized - Invalid Token"}"#, "Not Authorized - Invalid Token"),
      (#"{"statusCode":401,"error":"Unauthorized","message":"Invalid apiKey"}"#, "Invalid apiKey"),
      (#"{"error":"Invalid key"}"#, "Invalid key"),
      (#"{"error":{"code":498,"message":"Invalid token.","details":[]}}"#, "Invalid token."),
      (#"{"status":{"code":402,"message":"quota exceeded"},"results":[]}"#, "quota exceeded"),
      (#"{"status":{"message":"user does not exist.","value":10}}"#, "user does not exist."),
      (#"{"meta":{"code":403,"error":{"message":"Key is blocked","type":"apiKeyIsBlocked"}}}"#, "Key is blocked"),
      (#"{"status":"0","info":"INVALID_USER_KEY","infocode":"10001"}"#, "INVALID_USER_KEY"),
      (#"{"status":240,"message":"APP 服务被禁用"}"#, "APP 服务被禁用"),
      (#"{"geocoding":{"errors":["api_key is missing"]}}"#, "api_key is missing"),
      (#"{"detailedError":{"code":"Forbidden","message":"You are not permitted"}}"#, "You are not permitted"),
      (#"{"title":"Malformed request","cause":"Required parameter 'q' is missing","status":400}"#, "Required parameter 'q' is missing"),
      (#"[{"error":{"message":"in a list"}}]"#, "in a list"), (#""only a text""#, "only a text"),
      (#"<geonames><status message="the daily limit is used up" value="18"/></geonames>"#, "the daily limit is used up"),
      ("<?xml version=\"1.0\"?><Fault><faultstring>Access denied</faultstring></Fault>", "Access denied"),
      ("<!DOCTYPE html><HTML><head><TITLE lang=en>403\n Forbidden</TITLE></head></HTML>", "403 Forbidden"),
      ("Invalid key\n", "Invalid key"),
    ])
  func found(body: String, text: String) { #expect(message(body) == text) }

  @Test(
    "is absent from other answers",
    arguments: [
      "", "{}", "[]", "null", "7", #"{"features":[]}"#, #"{"error":{"code":7}}"#, #"{"error":"4711"}"#, "{\"message\":\"cut", "<html>x",
      "\u{0}\u{1}x",
    ])
  func absent(body: String) { #expect(message(body) == nil) }

  @Test(
    "lacks the key however the service writes it",
    arguments: [
      #"AIza+Sy\/4_k~e=y%&"#, #"AIza%2BSy%2F4_k~e%3Dy%25%26"#, #"AIza%2bSy%2f4_k~e%3dy%25%26"#, #"\u0041Iza+Sy/4_k~e=y%\u0026"#,
      "AIza+Sy/4_k~e=y%&amp;", "QUl6YStTeS80X2t-ZT15JSY", "AIza+Sy/4_k…", "AIza+Sy/", "AIza+Sy/4_k~***",
    ])
  func withoutKey(form: String) {
    let text = message(#"{"message":"the key "# + form + #" is blocked"}"#) ?? ""
    #expect(text.hasPrefix("the key [key]") && text.hasSuffix(" is blocked"), "\(text)")
    #expect(!text.contains("AIza") && !text.contains("QUl6"), "\(text)")
  }

  @Test("lacks a short key too, which an answer to a provider keeps")
  func shortKey() { #expect(message("the key abc1 is blocked", key: "abc1") == "the key [key] is blocked") }

  @Test("is one line of at most 300 characters, cut after the key was removed")
  func bounded() {
    let long = message("a\r\n\tb\u{2028}c \u{202E}d" + String(repeating: " x", count: 400)) ?? ""
    #expect(long.hasPrefix("a b c \u{FFFD}d x") && long.hasSuffix("…") && long.unicodeScalars.count == 300, "\(long)")
    for length in 270...300 {
      let text = message(String(repeating: "x", count: length) + Self.key) ?? ""
      #expect(!text.contains("AIza"), "\(text)")
    }
  }
}
