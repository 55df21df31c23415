import {
  formatCheck,
  isDNS1035Label,
  isDNS1123Label,
  isDNS1123Subdomain,
  isLabelValue,
  isQualifiedName,
  parseRequestURI,
} from '@kubechain/apimachinery';
import { define } from '../functions.ts';
import type { CelFunction } from '../functions.ts';
import { CelOpaque, CelOptional, ItemList } from '../values/values.ts';

/** A named format; `patternSize` is what costs of checking go by. */
class NamedFormat extends CelOpaque {
  readonly typeName = 'kubernetes.NamedFormat';
  readonly name: string;
  readonly patternSize: number;
  readonly check: (text: string) => readonly string[];
  constructor(name: string, patternSize: number, check: (text: string) => readonly string[]) {
    super();
    this.name = name;
    this.patternSize = patternSize;
    this.check = check;
  }
  override equals(other: CelOpaque): boolean {
    return other instanceof NamedFormat && other.name === this.name;
  }
}

/** Prefixes of names may end with a dash. */
const prefix =
  (check: (text: string) => readonly string[]) =>
  (text: string): readonly string[] =>
    check(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);
const known =
  (name: string, message: string) =>
  (text: string): readonly string[] =>
    formatCheck(name)?.(text) === true ? [] : [message];

function checkURI(text: string): readonly string[] {
  const found = parseRequestURI(text);
  return typeof found === 'string' ? [found] : [];
}

const uuidPattern = 70,
  dateTimePattern = 71,
  uriPattern = 1103,
  base64Pattern = 84;
const formats: ReadonlyMap<string, NamedFormat> = new Map([
  ['dns1123Label', new NamedFormat('DNS1123Label', 30, isDNS1123Label)],
  ['dns1123Subdomain', new NamedFormat('DNS1123Subdomain', 60, isDNS1123Subdomain)],
  ['dns1035Label', new NamedFormat('DNS1035Label', 30, isDNS1035Label)],
  ['qualifiedName', new NamedFormat('QualifiedName', 60, isQualifiedName)],
  ['dns1123LabelPrefix', new NamedFormat('DNS1123LabelPrefix', 30, prefix(isDNS1123Label))],
  ['dns1123SubdomainPrefix', new NamedFormat('DNS1123SubdomainPrefix', 60, prefix(isDNS1123Subdomain))],
  ['dns1035LabelPrefix', new NamedFormat('DNS1035LabelPrefix', 30, prefix(isDNS1035Label))],
  ['labelValue', new NamedFormat('LabelValue', 40, isLabelValue)],
  ['uri', new NamedFormat('URI', uriPattern, checkURI)],
  ['uuid', new NamedFormat('uuid', uuidPattern, known('uuid', 'does not match the UUID format'))],
  ['byte', new NamedFormat('byte', base64Pattern, known('byte', 'invalid base64'))],
  ['date', new NamedFormat('date', dateTimePattern, known('date', 'invalid date'))],
  ['datetime', new NamedFormat('datetime', dateTimePattern, known('datetime', 'invalid datetime'))],
]);

function validate(format: NamedFormat, text: string): CelOptional {
  const problems = format.check(text);
  return problems.length === 0 ? CelOptional.none : new CelOptional(new ItemList(problems));
}

/** Named formats (apiserver/cel/library/format.go, 1.36). */
export const formatFunctions: readonly CelFunction[] = [
  define('kubernetes.NamedFormat.validate(string): optional_type(list(string))', validate),
  define('format.named(string): optional_type(kubernetes.NamedFormat)', (name: string) => {
    const format = formats.get(name);
    return format === undefined ? CelOptional.none : new CelOptional(format);
  }),
  ...[...formats].map(([name, format]) => define(`format.${name}(): kubernetes.NamedFormat`, () => format)),
];
