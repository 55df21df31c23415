import { parseDuration } from '../meta/duration.ts';
import { parseCIDR, parseIPAddress } from '../validation/ip-address.ts';
import { parseRequestURI } from '../validation/go-url.ts';
import { isMailAddress } from './mail-address.ts';

/** Whether a text has a format. */
type FormatCheck = (text: string) => boolean;

const matches =
  (pattern: RegExp): FormatCheck =>
  (text) =>
    pattern.test(text);
const byteLength = (text: string): number => Buffer.byteLength(text, 'utf8');

const shortName = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const hostnameWord = /^[a-zA-Z0-9\p{S}\p{L}]-?[a-zA-Z0-9\p{S}\p{L}]*$/u;
const hostnameLabel = /^[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\-\p{S}\p{L}]*[a-zA-Z0-9\p{S}\p{L}])?$/u;
const topLabel = /^[a-zA-Z\p{L}]+$/u;

/** A word of up to 64 characters, or labels of up to 63 of which the last is of letters. */
function isHostname(text: string): boolean {
  const labels = text.split('.');
  const top = labels.pop() ?? '';
  if (labels.length === 0)
    return (
      charactersOf(top) <= (charactersOf(top) > 1 && Array.from(top.slice(0, 4))[1] === '-' ? 64 : 63) &&
      hostnameWord.test(top)
    );
  return (
    charactersOf(top) >= 2 &&
    charactersOf(top) <= 63 &&
    topLabel.test(top) &&
    labels.every((label) => charactersOf(label) <= 63 && hostnameLabel.test(label))
  );
}

/** Code points; of a text that is too long in any case only so many as tell that. */
function charactersOf(text: string): number {
  return Array.from(text.slice(0, 200)).length;
}

const shortNameExact = new RegExp(`^${shortName}$`);
const longNameExact = new RegExp(`^${shortName}(?:\\.${shortName})*$`);
const hex = '[0-9a-fA-F]';
const macs = ['-', ':'].map(
  (separator) => `${hex}{2}(?:${separator}${hex}{2}){5}(?:(?:${separator}${hex}{2}){2}|(?:${separator}${hex}{2}){14})?`,
);
const mac = new RegExp(
  `^(?:${macs.join('|')}|(?:${hex}{12}|${hex}{16}|${hex}{40})|${hex}{4}(?:\\.${hex}{4}){2}(?:\\.${hex}{4}` +
    `|(?:\\.${hex}{4}){7})?)$`,
);

/** Formats by name, without dashes (kube-openapi's strfmt, as of 1.36); a schema's other formats are ignored. */
const checks = new Map<string, FormatCheck>([
  ['bsonobjectid', matches(/^[0-9a-fA-F]{24}$/)],
  ['uri', (text) => typeof parseRequestURI(text) !== 'string'],
  ['email', isMailAddress],
  [
    'hostname',
    (text) => byteLength(text) <= 255 && text.split('.').every((label) => byteLength(label) <= 63) && isHostname(text),
  ],
  ['ipv4', (text) => text.includes('.') && parseIPAddress(text) !== undefined],
  ['ipv6', isIPv6],
  ['cidr', (text) => parseCIDR(text) !== undefined],
  ['mac', matches(mac)],
  ['uuid', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid3', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid4', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['uuid5', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['isbn', (text) => isISBN10(text) || isISBN13(text)],
  ['isbn10', isISBN10],
  ['isbn13', isISBN13],
  ['creditcard', isCreditCard],
  ['ssn', (text) => byteLength(text) === 11 && /^[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}$/.test(text)],
  ['hexcolor', matches(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  [
    'rgbcolor',
    matches(
      /^rgb\([\t\n\f\r ]*(?:0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])[\t\n\f\r ]*,[\t\n\f\r ]*(?:0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])[\t\n\f\r ]*,[\t\n\f\r ]*(?:0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])[\t\n\f\r ]*\)$/,
    ),
  ],
  ['byte', matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/)],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
  ['k8sshortname', (text) => byteLength(text) <= 63 && shortNameExact.test(text)],
  ['k8slongname', (text) => byteLength(text) <= 253 && longNameExact.test(text)],
]);

/** The check of a text format, dashes in its name ignored; undefined for formats that are not checked. */
export function formatCheck(name: string): FormatCheck | undefined {
  return checks.get(name.replaceAll('-', ''));
}

/** Names of formats that texts are checked for, without dashes. */
export function isKnownFormat(name: string): boolean {
  return checks.has(name.replaceAll('-', ''));
}

function isIPv6(text: string): boolean {
  if (!text.includes(':')) return false;
  const address = parseIPAddress(text);
  return address !== undefined && !address.leadingZeros;
}

function isISBN10(text: string): boolean {
  const digits = text.replace(/[\t\n\f\r -]+/g, '');
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 10; i++) sum += (i + 1) * (digits[i] === 'X' ? 10 : Number(digits[i]));
  return sum % 11 === 0;
}

function isISBN13(text: string): boolean {
  const digits = text.replace(/[\t\n\f\r -]+/g, '');
  if (!/^[0-9]{13}$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += (i % 2 === 0 ? 1 : 3) * Number(digits[i]);
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}

const card =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11})$/;

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  if (!card.test(digits)) return false;
  let sum = 0;
  for (let i = digits.length - 1, double = false; i >= 0; i--, double = !double) {
    const value = Number(digits[i]) * (double ? 2 : 1);
    sum += value >= 10 ? (value % 10) + 1 : value;
  }
  return sum % 10 === 0;
}

function isDate(text: string): boolean {
  const parts = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text);
  if (parts === null) return false;
  const year = Number(parts[1]),
    month = Number(parts[2]),
    day = Number(parts[3]);
  if (month < 1 || month > 12 || day < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day <= (month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31);
}

function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date)) return false;
  const parts = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/u.exec(time);
  return parts !== null && (parts[1] ?? '') <= '23' && (parts[2] ?? '') <= '59' && (parts[3] ?? '') <= '59';
}

/** Units besides Go's own; the last of each is a prefix of what it stands for (`minutes`). */
const scalaUnits: readonly (readonly string[])[] = [
  ['ns', 'nano'],
  ['us', 'µs', 'micro'],
  ['ms', 'milli'],
  ['s', 'sec'],
  ['m', 'min'],
  ['h', 'hr', 'hour'],
  ['d', 'day'],
  ['w', 'wk', 'week'],
];

function isDuration(text: string): boolean {
  try {
    parseDuration(text);
    return true;
  } catch {
    // Not Go's syntax: perhaps Scala's, `3 days`.
  }
  const known = new Map<string, boolean>();
  let found = false;
  for (let at = 0; at < text.length;) {
    if (!isDigit(text.charCodeAt(at))) {
      at++;
      continue;
    }
    const digits = at;
    while (isDigit(text.charCodeAt(at))) at++;
    const digitsEnd = at;
    while (isGap(text.charCodeAt(at))) at++;
    const letters = at;
    while (isUnitLetter(text.charCodeAt(at))) at++;
    // Digits without letters behind them are passed over, once.
    if (at === letters) continue;
    if (digitsEnd - digits > 18 && !fitsInt64(text.slice(digits, digitsEnd))) return false;
    const unit = text.slice(letters, at).toLowerCase();
    let is = known.get(unit);
    if (is === undefined) known.set(unit, (is = isScalaUnit(unit)));
    found ||= is;
  }
  return found;
}

function isScalaUnit(unit: string): boolean {
  return scalaUnits.some((variants) => variants.includes(unit) || unit.startsWith(variants.at(-1) ?? ''));
}

function fitsInt64(digits: string): boolean {
  return digits.replace(/^0+/, '').length <= 19 && BigInt(digits) < 2n ** 63n;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** White space that may stand between a number and its unit. */
function isGap(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0c || code === 0x0d;
}

/** A letter of ASCII, or the micro sign. */
function isUnitLetter(code: number): boolean {
  return ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) || code === 0xb5;
}
