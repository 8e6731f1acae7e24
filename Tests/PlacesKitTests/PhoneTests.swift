import Testing
import Text

@Suite("Telephone numbers")
struct PhoneTests {
  @Test(
    "A number is written in E.164, with its calling code and without its trunk prefix",
    arguments: [
      ("(212) 678-4680", "US", "+12126784680"), ("1-212-678-4680", "US", "+12126784680"), ("030 1234567", "DE", "+49301234567"),
      ("+49 (0)30 1234567", "DE", "+49301234567"), ("0049 30 1234567", "DE", "+49301234567"), ("06 1234 5678", "IT", "+390612345678"),
      ("+39 06 12345678", "IT", "+390612345678"), ("8 (495) 123-45-67", "RU", "+74951234567"), ("06 1 234 5678", "HU", "+3612345678"),
      ("020 7946 0018", "GB", "+442079460018"), ("04 78 91 23 45", "FR", "+33478912345"), ("03-1234-5678", "JP", "+81312345678"),
      ("011 44 20 7946 0018", "US", "+442079460018"),
    ])
  func spelling(_ text: String, _ country: String, _ expected: String) { #expect(Phone.e164(text, country: country) == expected) }

  @Test(
    "A text that is not a number, or a national number without a country, has no spelling in E.164",
    arguments: ["", "call us", "12", "030 1234567", "+++", "0"])
  func none(_ text: String) { #expect(Phone.e164(text, country: nil) == nil) }
}
