import { byteLength } from '../errors/go-format.ts';

/**
 * Checks of names, keys and other short texts. Each returns what is wrong with the value, in upstream's words
 * (util/validation, api/validate/content); an empty list when it is valid.
 */

/** `must be no more than N characters`, as the checks of names say it. */
export function maxLengthMessage(length: number): string {
  return `must be no more than ${length} characters`;
}
/** `must be no more than N bytes`, as the checks of label keys and values say it. */
function maxBytesMessage(length: number): string {
  return `must be no more than ${length} bytes`;
}
/** `must be between LO and HI, inclusive`. */
export function rangeMessage(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

/** The message for a value that does not match `pattern`, with examples of what does. */
export function regexMessage(message: string, pattern: string, ...examples: readonly string[]): string {
  if (examples.length === 0) return `${message} (regex used for validation is '${pattern}')`;
  return (
    `${message} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}regex used for validation is ` +
    `'${pattern}')`
  );
}

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;
const labelWithUnderscore = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const subdomainWithUnderscore = `${labelWithUnderscore}(\\.${labelWithUnderscore})*`;
const dns1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const wildcard = `\\*\\.${subdomain}`;
const qualified = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValue = `(${qualified})?`;
const cIdentifier = '[A-Za-z_][A-Za-z0-9_]*';
const envVarName = '[-._a-zA-Z][-._a-zA-Z0-9]*';
const configMapKey = '[-._a-zA-Z0-9]+';
const httpHeader = '[-A-Za-z0-9]+';
const percent = '[0-9]+%';
const conditionReason = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';

const exact = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);
const labelRegex = exact(label);
const subdomainRegex = exact(subdomain);
const subdomainWithUnderscoreRegex = exact(subdomainWithUnderscore);
const dns1035Regex = exact(dns1035);
const wildcardRegex = exact(wildcard);
const qualifiedRegex = exact(qualified);
const labelValueRegex = exact(labelValue);
const cIdentifierRegex = exact(cIdentifier);
const envVarRegex = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;
const configMapKeyRegex = /^[-._a-zA-Z0-9]+$/;
const httpHeaderRegex = /^[-A-Za-z0-9]+$/;
const percentRegex = /^[0-9]+%$/;
const conditionReasonRegex = exact(conditionReason);

const MAX_LABEL = 63;
const MAX_SUBDOMAIN = 253;

const subdomainMessage =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must " +
  'start and end with an alphanumeric character';

/**
 * Whether a text is longer than so many bytes. A character takes three at most, which settles it for nearly all texts.
 */
function isLongerThan(text: string, bytes: number): boolean {
  return text.length > bytes || (text.length * 3 > bytes && byteLength(text) > bytes);
}

/** A label of DNS (RFC 1123): a namespace's name. */
export function isDNS1123Label(value: string): string[] {
  const errors: string[] = [];
  if (isLongerThan(value, MAX_LABEL)) errors.push(maxLengthMessage(MAX_LABEL));
  if (!labelRegex.test(value)) {
    errors.push(
      subdomainRegex.test(value)
        ? 'must not contain dots'
        : regexMessage(
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must " +
              'start and end with an alphanumeric character',
            label,
            'my-name',
            '123-abc',
          ),
    );
  }
  return errors;
}

/** A name in DNS (RFC 1123): most objects' names. */
export function isDNS1123Subdomain(value: string): string[] {
  const errors: string[] = [];
  if (isLongerThan(value, MAX_SUBDOMAIN)) errors.push(maxLengthMessage(MAX_SUBDOMAIN));
  if (!subdomainRegex.test(value)) errors.push(regexMessage(subdomainMessage, subdomain, 'example.com'));
  return errors;
}

/** As {@link isDNS1123Subdomain}, in the words of the newer checks (api/validate/content, 1.36). */
export function isLongName(value: string): string[] {
  const errors = isDNS1123Subdomain(value);
  return isLongerThan(value, MAX_SUBDOMAIN) ? [maxBytesMessage(MAX_SUBDOMAIN), ...errors.slice(1)] : errors;
}

/** As {@link isDNS1123Subdomain}, with underscores. */
export function isDNS1123SubdomainWithUnderscore(value: string): string[] {
  const errors: string[] = [];
  if (isLongerThan(value, MAX_SUBDOMAIN)) errors.push(maxLengthMessage(MAX_SUBDOMAIN));
  if (!subdomainWithUnderscoreRegex.test(value)) {
    errors.push(
      regexMessage(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', " +
          'and must start and end with an alphanumeric character',
        subdomainWithUnderscore,
        'example.com',
      ),
    );
  }
  return errors;
}

/** A label of RFC 1035: a service's name. */
export function isDNS1035Label(value: string): string[] {
  const errors: string[] = [];
  if (isLongerThan(value, MAX_LABEL)) errors.push(maxLengthMessage(MAX_LABEL));
  if (!dns1035Regex.test(value)) {
    errors.push(
      regexMessage(
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic " +
          'character, and end with an alphanumeric character',
        dns1035,
        'my-name',
        'abc-123',
      ),
    );
  }
  return errors;
}

/** `*.example.com`. */
export function isWildcardDNS1123Subdomain(value: string): string[] {
  const errors: string[] = [];
  if (isLongerThan(value, MAX_SUBDOMAIN)) errors.push(maxLengthMessage(MAX_SUBDOMAIN));
  if (!wildcardRegex.test(value)) {
    errors.push(
      regexMessage(
        "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must " +
          "consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
        wildcard,
        '*.example.com',
      ),
    );
  }
  return errors;
}

const qualifiedMessage =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const qualifiedRule = regexMessage(qualifiedMessage, qualified, 'MyName', 'my.name', '123-abc');
/** What is said of a key, put together once: a body may have a hundred thousand that are wrong. */
const qualifiedTexts = {
  parts: `a valid label key ${qualifiedRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
  noPrefix: 'prefix part must be non-empty',
  longPrefix: `prefix part ${maxBytesMessage(MAX_SUBDOMAIN)}`,
  prefix: `prefix part ${regexMessage(subdomainMessage, subdomain, 'example.com')}`,
  noName: 'name part must be non-empty',
  longName: `name part ${maxBytesMessage(MAX_LABEL)}`,
  name: `name part ${qualifiedRule}`,
} as const;

/**
 * Qualified names that were found to be in order: the keys of labels and annotations are the same in most objects.
 * When full it starts anew: 1 MB at most.
 */
const knownNames = new Set<string>();
const MAX_KNOWN_NAMES = 4096;
const MAX_KNOWN_LENGTH = 128;

/** A label key, an annotation key in lower case, a finalizer: `name` or `prefix.example.com/name`. */
export function isQualifiedName(value: string): string[] {
  if (knownNames.has(value)) return [];
  const errors = qualifiedNameProblems(value);
  if (errors.length === 0 && value.length <= MAX_KNOWN_LENGTH) {
    if (knownNames.size >= MAX_KNOWN_NAMES) knownNames.clear();
    knownNames.add(value);
  }
  return errors;
}

function qualifiedNameProblems(value: string): string[] {
  const errors: string[] = [];
  const slash = value.indexOf('/');
  if (slash !== -1) {
    if (value.includes('/', slash + 1)) return [qualifiedTexts.parts];
    const prefix = value.slice(0, slash);
    if (prefix === '') errors.push(qualifiedTexts.noPrefix);
    else {
      if (isLongerThan(prefix, MAX_SUBDOMAIN)) errors.push(qualifiedTexts.longPrefix);
      if (!subdomainRegex.test(prefix)) errors.push(qualifiedTexts.prefix);
    }
  }
  const name = value.slice(slash + 1);
  if (name === '') errors.push(qualifiedTexts.noName);
  else if (isLongerThan(name, MAX_LABEL)) errors.push(qualifiedTexts.longName);
  if (!qualifiedRegex.test(name)) errors.push(qualifiedTexts.name);
  return errors;
}

/** A label's value. */
export function isLabelValue(value: string): string[] {
  const errors: string[] = [];
  if (isLongerThan(value, MAX_LABEL)) errors.push(maxBytesMessage(MAX_LABEL));
  if (!labelValueRegex.test(value)) {
    errors.push(
      regexMessage(
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and " +
          'must start and end with an alphanumeric character',
        labelValue,
        'MyValue',
        'my_value',
        '12345',
      ),
    );
  }
  return errors;
}

/** An identifier of C. */
export function isCIdentifier(value: string): string[] {
  return cIdentifierRegex.test(value)
    ? []
    : [
        regexMessage(
          "a valid C identifier must start with alphabetic character or '_', followed by a string of " +
            "alphanumeric characters or '_'",
          cIdentifier,
          'my_name',
          'MY_NAME',
          'MyName',
        ),
      ];
}

/** 1 … 65535. */
export function isValidPortNum(port: number): string[] {
  return isInRange(port, 1, 65535);
}
/** `low` … `high`, inclusive. */
export function isInRange(value: number, low: number, high: number): string[] {
  return value >= low && value <= high ? [] : [rangeMessage(low, high)];
}
/** A Unix user or group id: 0 … 2^31 - 1. */
export function isValidUserId(id: number): string[] {
  return isInRange(id, 0, 2 ** 31 - 1);
}

/** An IANA service name: at most 15 of a-z, 0-9 and single inner hyphens, with a letter. */
export function isValidPortName(port: string): string[] {
  const errors: string[] = [];
  if (isLongerThan(port, 15)) errors.push(maxLengthMessage(15));
  if (!/^[-a-z0-9]+$/.test(port)) errors.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(port)) errors.push('must contain at least one letter (a-z)');
  if (port.includes('--')) errors.push('must not contain consecutive hyphens');
  if (port.startsWith('-') || port.endsWith('-')) errors.push('must not begin or end with a hyphen');
  return errors;
}

/** `25%`. */
export function isValidPercent(value: string): string[] {
  return percentRegex.test(value)
    ? []
    : [regexMessage("a valid percent string must be a numeric string followed by an ending '%'", percent, '1%', '93%')];
}

/** A header's name. */
export function isHTTPHeaderName(value: string): string[] {
  return httpHeaderRegex.test(value)
    ? []
    : [regexMessage("a valid HTTP header must consist of alphanumeric characters or '-'", httpHeader, 'X-Header-Name')];
}

function changesDirectory(value: string): string[] {
  if (value === '.') return ["must not be '.'"];
  if (value === '..') return ["must not be '..'"];
  return value.startsWith('..') ? ["must not start with '..'"] : [];
}

/** A name of an environment variable by the strict rule. */
export function isEnvVarName(value: string): string[] {
  const errors = changesDirectory(value);
  if (!envVarRegex.test(value)) {
    errors.unshift(
      regexMessage(
        "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', " +
          'and must not start with a digit',
        envVarName,
        'my.env-name',
        'MY_ENV.NAME',
        'MyEnvName1',
      ),
    );
  }
  return errors;
}

/** A name of an environment variable by today's rule: printable ASCII without `=`. */
export function isRelaxedEnvVarName(value: string): string[] {
  const errors: string[] = [];
  if (value === '') errors.push('environment variable name must be non-empty');
  if (!/^[ -<>-~]*$/.test(value))
    errors.push("a valid environment variable name must consist only of printable ASCII characters other than '='");
  return errors;
}

/** A key of a ConfigMap or Secret. */
export function isConfigMapKey(value: string): string[] {
  const errors: string[] = [];
  if (isLongerThan(value, MAX_SUBDOMAIN)) errors.push(maxLengthMessage(MAX_SUBDOMAIN));
  if (!configMapKeyRegex.test(value)) {
    errors.push(
      regexMessage(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
        configMapKey,
        'key.name',
        'KEY_NAME',
        'key-name',
      ),
    );
  }
  return [...errors, ...changesDirectory(value)];
}

/** The `reason` of a condition. */
export function isConditionReason(value: string): string[] {
  return conditionReasonRegex.test(value)
    ? []
    : [
        regexMessage(
          'a condition reason must start with alphabetic character, optionally followed by a string of ' +
            "alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
          conditionReason,
          'my_name',
          'MY_NAME',
          'MyName',
          'ReasonA,ReasonB',
          'ReasonA:ReasonB',
        ),
      ];
}

/** A name that can stand in a URL path and a storage key; of names themselves, not of prefixes. */
export function isPathSegmentName(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return isPathSegmentPrefix(name);
}

/** As {@link isPathSegmentName} for the beginning of a name. */
export function isPathSegmentPrefix(name: string): string[] {
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}
