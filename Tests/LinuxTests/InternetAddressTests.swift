import Testing

@testable import Linux

@Suite("Which addresses are public") struct AddressTests {
  @Test(arguments: [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254", "169.254.169.254",
    "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.7", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.1",
    "203.0.113.9", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
    "::ffff:169.254.169.254", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:2::1",
    "2001:db8::1",
    "2001:10::1", "2001:1ff::1", "2002:7f00:1::1", "2002:a00:1::", "3fff::1", "3fff:fff::1", "fc00::1", "fd12:3456::1", "fe80::1",
    "fec0::1", "ff02::1", "5f00::1",
  ]) func `Addresses of private networks, this machine, groups and examples are not`(text: String) throws {
    #expect(try #require(InternetAddress(text)).isPublic == false)
  }

  @Test(arguments: [
    "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0", "172.15.255.255",
    "172.32.0.0", "192.0.1.1", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255", "2606:4700::1111",
    "2001:200::1", "2a00:1450:4001::1", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1", "3fff:1000::1", "3ffe::1",
  ]) func `Others are, also right beside those`(text: String) throws {
    #expect(try #require(InternetAddress(text)).isPublic)
  }

  @Test(arguments: ["10.1", "0x7f000001", "2130706433", "127.0.0.1.", "localhost", "", "::g", "1.2.3.4:80"])
  func `Odd spellings are no addresses`(text: String) { #expect(InternetAddress(text) == nil) }
}
