import { expect } from 'chai';
import { evaluated } from '../testing/evaluate.ts';
import { isCelError } from '../values/values.ts';

/** Expressions that hold, by library. */
const holding: Readonly<Record<string, readonly string[]>> = {
  strings: [
    '"tacocat".charAt(3) == "o" && "ab".charAt(2) == ""',
    '"hello mellow".indexOf("ello") == 1 && "hello mellow".indexOf("ello", 2) == 7 && "héllo".indexOf("l") == ' +
      '2 && "a".indexOf("", 1) == 1 && "a".indexOf("z", 5) == -1',
    '"hello mellow".lastIndexOf("ello") == 7 && "hello mellow".lastIndexOf("ello", 6) == 1 && ' +
      '"ab".lastIndexOf("") == 2',
    '"TacoCÆt".lowerAscii() == "tacocÆt" && "tacocæt".upperAscii() == "TACOCæT"',
    '"hello hello".replace("he", "we") == "wello wello" && "hello hello".replace("he", "we", 1) == "wello ' +
      'hello" && "ab".replace("", "-") == "-a-b-" && "ab".replace("a", "b", 0) == "ab"',
    '"a,b,c".split(",") == ["a", "b", "c"] && "a,b,c".split(",", 2) == ["a", "b,c"] && "a,b".split(",", 0) == ' +
      '[] && "ab".split("") == ["a", "b"]',
    '"tacocat".substring(4) == "cat" && "tacocat".substring(0, 4) == "taco"',
    '"  \\ttrim\\n    ".trim() == "trim"',
    '["x", "y"].join() == "xy" && ["x", "y"].join("-") == "x-y" && [].join("-") == ""',
    'strings.quote("a\\n\\"b") == "\\"a\\\\n\\\\\\"b\\""',
  ],
  format: [
    '"%s|%d|%s".format([s, n, [1, 2]]) == "héllo|5|[1, 2]"',
    '"%.2f %f %e".format([1234.567, 1.0, 3.14]) == "1,234.57 1.000000 3.140000×10⁰⁰"',
    '"%x %X %x %o %b %b".format([26, 26, "hi", 8, 5, true]) == "1a 1A 6869 10 101 1"',
    '"%s %s %s %s".format([{"b": 1, "a": "x"}, duration("1m"), [timestamp("2000-01-01T00:00:00Z")], null]) == ' +
      '"{\\"a\\":\\"x\\", \\"b\\":1} 60s [timestamp(\\"2000-01-01T00:00:00Z\\")] null"',
    '"%% %s".format([1.5]) == "% 1.5"',
  ],
  lists: [
    '[1, 2, 3, 4].slice(1, 3) == [2, 3] && [1].slice(1, 1) == []',
    '[[1], [2, 3]].flatten() == [1, 2, 3] && [[[1]], [[2]]].flatten(2) == [1, 2] && [[1]].flatten(0) == [[1]]',
    '[3, 1, 2].sort() == [1, 2, 3] && ["b", "a"].sort() == ["a", "b"]',
    '["ccc", "a", "bb"].sortBy(x, x.size()) == ["a", "bb", "ccc"] && [1, 2].sortBy(x, -x) == [2, 1]',
    '[1, 2, 2, 1].distinct() == [1, 2]',
    'lists.range(3) == [0, 1, 2] && lists.range(0) == []',
    '[1, 2].reverse() == [2, 1]',
    'l.first().value() == 3 && l.last().value() == 2 && [].first() == optional.none()',
    '[1, 2, 2].isSorted() && !l.isSorted() && l.sum() == 6 && l.max() == 3 && l.min() == 1',
    '[1.5, 2.5].sum() == 4.0 && [duration("1m"), duration("1s")].sum() == duration("61s")',
    'l.indexOf(1) == 1 && [1, 2, 1].lastIndexOf(1) == 2 && l.indexOf(9) == -1',
    'sets.contains(l, [1, 3]) && sets.equivalent([1, 1], [1]) && sets.intersects(l, [3, 9]) && !sets.contains(l, [9])',
    '[optional.of(1), optional.none()].unwrapOpt() == [1]',
  ],
  regex: [
    '"abc 123".find("[0-9]+") == "123" && "abc".find("x") == ""',
    '"1 abc 2".findAll("[0-9]") == ["1", "2"] && "1 2 3".findAll("[0-9]", 2) == ["1", "2"] && "a".findAll("x") == []',
  ],
  urls: [
    'url("https://user:pw@example.com:80/a%20b?k=v#f").getHost() == "example.com:80"',
    'url("https://example.com:80/").getHostname() == "example.com" && url("https://[::1]:80/").getHostname() ' +
      '== "::1" && url("https://[::1]:80/").getHost() == "[::1]:80"',
    'url("https://example.com:80/").getPort() == "80" && url("/path").getPort() == ""',
    'url("https://example.com/with space/").getEscapedPath() == "/with%20space/"',
    'url("https://e.com/?k=a&k=b%20c&x").getQuery() == {"k": ["a", "b c"], "x": [""]}',
    'isURL("https://e.com") && isURL("/a") && !isURL("e.com/x") && !isURL("../x")',
    'url("https://e.com") == url("https://e.com") && url("https://e.com").getScheme() == "https"',
  ],
  quantity: [
    'quantity("1Gi").isGreaterThan(quantity("1G")) && quantity("50k").compareTo(quantity("50000")) == 0',
    'sign(quantity("-1")) == -1 && quantity("50k").asInteger() == 50000 && !quantity("0.1").isInteger()',
    'quantity("50k").add(20) == quantity("50020") && quantity("1").sub(quantity("2")) == quantity("-1")',
    'isQuantity("1.3Gi") && !isQuantity("1,3")',
    'quantity("0.5").asApproximateFloat() == 0.5',
  ],
  addresses: [
    'ip("10.0.0.1").family() == 4 && ip("::1").isLoopback() && !isIP("10.0.0.300") && ip.isCanonical("::1") ' +
      '&& !ip.isCanonical("::0001")',
    'ip("224.0.0.1").isLinkLocalMulticast() && ip("fe80::1").isLinkLocalUnicast() && ' +
      'ip("8.8.8.8").isGlobalUnicast() && ip("0.0.0.0").isUnspecified()',
    'cidr("10.1.2.3/8").masked() == cidr("10.0.0.0/8") && cidr("10.0.0.0/8").containsIP("10.9.9.9") && ' +
      'cidr("10.0.0.0/8").containsIP(ip("10.0.0.1"))',
    'cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16") && !cidr("10.0.0.0/8").containsCIDR(cidr("11.0.0.0/9"))',
    'cidr("192.168.0.1/24").ip() == ip("192.168.0.1") && cidr("::1/128").prefixLength() == 128 && ' +
      'string(cidr("10.0.0.0/8")) == "10.0.0.0/8" && isCIDR("::/0") && !isCIDR("::")',
    'type(ip("::1")) == net.IP',
  ],
  semver: [
    'semver("1.2.3").isLessThan(semver("1.3.0")) && semver("1.0.0-alpha").compareTo(semver("1.0.0")) == -1 && ' +
      'semver("1.0.0-2").isLessThan(semver("1.0.0-10"))',
    'semver("1.2.3").major() == 1 && semver("1.2.3").minor() == 2 && semver("1.2.3").patch() == 3',
    'semver("1.2.3+a") == semver("1.2.3+b")',
    'isSemver("1.2.3") && !isSemver("v1.2.3") && !isSemver("01.2.3") && isSemver("v01.2", true) && ' +
      'semver("v1", true) == semver("1.0.0")',
  ],
  formats: [
    '!format.dns1123Label().validate("my-label").hasValue() && format.dns1123Label().validate("My").hasValue()',
    'format.named("dns1123Subdomain").value().validate("a.b.c") == optional.none() && !format.named("nope").hasValue()',
    'format.dns1123LabelPrefix().validate("a-") == optional.none() && ' +
      'format.labelValue().validate("-").value().size() == 1',
    'format.uuid().validate("x").value() == ["does not match the UUID format"] && ' +
      'format.date().validate("2021-02-30").value() == ["invalid date"]',
  ],
  optionals: [
    'optional.ofNonZeroValue("") == optional.none() && optional.ofNonZeroValue(1) == optional.of(1)',
    'none.or(optional.of(2)).value() == 2 && !none.hasValue()',
    'optional.unwrap([optional.of(1), none]) == [1]',
  ],
};

/** Expressions that fail, with the text. */
const failing: readonly (readonly [source: string, text: string])[] = [
  ['cidr("10.0.0.0/8").containsIP(s + "x")', 'no such overload'],
  ['"ab".charAt(n)', 'index out of range: 5'],
  ['"ab".substring(2, 1)', 'invalid substring range. start: 2, end: 1'],
  ['"ab".indexOf("a", -1)', 'index out of range: -1'],
  ['"%d".format([any])', 'error during formatting: decimal clause can only be used on integers, was given string'],
  ['(s + "%s").format(l.filter(x, false))', 'index 0 out of range'],
  ['l.slice(1, 9)', 'cannot slice(1, 9), list is length 3'],
  ['l.slice(-1, 1)', 'cannot slice(-1, 1), negative indexes not supported'],
  ['l.slice(2, 1)', 'cannot slice(2, 1), start index must be less than or equal to end index'],
  ['l.filter(x, false).max()', 'max called on empty list'],
  ['s.find(s + "(")', 'Illegal regex: error parsing regexp: missing closing ): `héllo(`'],
  ['url(s)', 'URL parse error during conversion from string: parse "héllo": invalid URI for request'],
  ['quantity(s)', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
  ['quantity("0.1").asInteger()', 'cannot convert value to integer'],
  ['ip(s)', 'IP Address "héllo" parse error during conversion from string: ParseAddr("héllo"): unable to parse IP'],
  [
    'ip("1.2.3")',
    'IP Address "1.2.3" parse error during conversion from string: ParseAddr("1.2.3"): IPv4 address too short',
  ],
  ['ip("::ffff:1.2.3.4")', 'IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed'],
  ['ip("fe80::1%eth0")', 'IP address "fe80::1%eth0" with zone value is not allowed'],
  [
    'cidr("1.2.3.4")',
    'network address parse error during conversion from string: network address parse error during conversion ' +
      'from string: netip.ParsePrefix("1.2.3.4"): no \'/\'',
  ],
  ['semver("1.2")', 'No Major.Minor.Patch elements found'],
  ['semver("1.02.3")', 'Minor number must not contain leading zeroes "02"'],
  ['semver("1.2.3-")', 'Prerelease is empty'],
  ['semver("1.2.x")', 'Invalid character(s) found in patch number "x"'],
];

describe('function libraries', () => {
  for (const [library, sources] of Object.entries(holding)) {
    describe(library, () => {
      for (const source of sources)
        it(source, () => {
          expect(evaluated(source).result).to.equal(true);
        });
    });
  }

  describe('failures', () => {
    for (const [source, text] of failing) {
      it(source, () => {
        const { result } = evaluated(source);
        expect(isCelError(result) ? result.message : result).to.equal(text);
      });
    }
  });
});
