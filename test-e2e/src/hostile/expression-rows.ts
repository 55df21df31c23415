import { columnsAt, definition, definitions, jsonPatch, patch, post, schemaOf } from './api-requests.ts';
import { made, request, type HostileRow } from './row.ts';
import type { HostileRequest } from './target.ts';

const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const text = { type: 'string' };
const spec = (schema: object): object => ({ type: 'object', properties: { spec: schema } });
const rules = (...all: readonly (string | object)[]): object => ({
  'x-kubernetes-validations': all.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
});

/** A definition whose schema is refused or taken, as the expressions in it deserve. */
const defined = (name: string, schema: object): HostileRequest => post(definitions, definition(name, schema));
const custom = (kind: string, plural: string, rest: object): HostileRequest =>
  post(
    `/apis/hostile.example/v1/namespaces/hostile/${plural}`,
    JSON.stringify({ apiVersion: 'hostile.example/v1', kind, metadata: { generateName: 'h-' }, ...rest }),
  );
const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const policy = (name: string, validations: readonly object[], more: object = {}): HostileRequest =>
  post(
    policies,
    JSON.stringify({
      metadata: { name },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }],
        },
        validations,
        ...more,
      },
    }),
  );

/** Schemas, expressions and paths that cost more to look at than to write. */
export const expressionRows: readonly HostileRow[] = [
  made('a definition of 500 rules', () =>
    defined(
      'rules',
      spec({ type: 'object', properties: { a: text }, ...rules(...many(500, (i) => `self.a != '${i}'`)) }),
    ),
  ),
  made('rules of matches that backtrack', () =>
    defined(
      'matches',
      spec({ type: 'string', maxLength: 1_000, ...rules("self.matches('^(a+)+$')", "self.matches('(.*)*b')") }),
    ),
  ),
  request('an object for them', custom('Matches', 'matchess', { spec: `${'a'.repeat(999)}b` })),
  made('a rule with a pattern of 100,000 letters', () =>
    defined(
      'pattern2',
      spec({ type: 'string', maxLength: 10, ...rules(`self.matches('${'(a|b)*'.repeat(15_000)}')`) }),
    ),
  ),
  made('a rule with counted repetitions', () =>
    defined(
      'counted',
      spec({
        type: 'string',
        maxLength: 10,
        ...rules("self.matches('((a{1,1000}){1,1000}){1,1000}')", "self.matches('a{1001}')"),
      }),
    ),
  ),
  made('a rule of 20,000 nested ternaries', () =>
    defined(
      'ternary',
      spec({ type: 'integer', ...rules(`${'self > 0 ? true : ('.repeat(20_000)}true${')'.repeat(20_000)}`) }),
    ),
  ),
  made('a rule of 20,000 additions', () =>
    defined('addition', spec({ type: 'integer', ...rules(`${many(20_000, () => 'self').join(' + ')} > 0`) })),
  ),
  made('a rule of 5,000 nested lists', () =>
    defined('listed', spec({ type: 'integer', ...rules(`${'['.repeat(5_000)}self${']'.repeat(5_000)} != []`) })),
  ),
  made('a rule of a text of a megabyte', () =>
    defined('literal', spec({ type: 'string', ...rules(`self != '${'\\\\'.repeat(500_000)}'`) })),
  ),
  request(
    'rules that grow texts',
    defined(
      'growing',
      spec({
        type: 'string',
        maxLength: 100,
        ...rules(
          '[1,2,3,4,5,6,7,8,9].map(a, [1,2,3,4,5,6,7,8,9].map(b, [1,2,3,4,5,6,7,8,9].map(c, self + self + ' +
            'self))).size() > 0',
          "self.replace('a', self).replace('a', self).replace('a', self).size() > 0",
          "'%s%s%s'.format([self, self, self]).size() > 0",
        ),
      }),
    ),
  ),
  request(
    'rules of numbers beyond all numbers',
    defined(
      'beyond',
      spec({
        type: 'integer',
        ...rules(
          'self + 9223372036854775807 > 0',
          'self / 0 == 1',
          'self % 0 == 0',
          'int("99999999999999999999") > self',
        ),
      }),
    ),
  ),
  request('an object for them, of one number', custom('Beyond', 'beyonds', { spec: 9_007_199_254_740_991 })),
  request(
    'rules of dates and durations without sense',
    defined(
      'dated',
      spec({
        type: 'string',
        maxLength: 64,
        ...rules("duration(self) > duration('1s')", "timestamp(self).getFullYear('../../etc') > 1"),
      }),
    ),
  ),
  request('an object for them, of no date', custom('Dated', 'dateds', { spec: '1'.repeat(64) })),
  request(
    'rules of networks, versions and quantities',
    defined(
      'library',
      spec({
        type: 'string',
        maxLength: 200,
        ...rules(
          'isIP(self) || isCIDR(self) || isQuantity(self) || isSemver(self) || isURL(self) || true',
          "!isQuantity(self) || quantity(self).compareTo(quantity('1e300')) <= 1",
          '!isURL(self) || url(self).getHost() != "x"',
        ),
      }),
    ),
  ),
  request('an object for them, of digits', [
    custom('Library', 'librarys', { spec: `1e${'9'.repeat(190)}` }),
    custom('Library', 'librarys', { spec: '1'.repeat(200) }),
    custom('Library', 'librarys', { spec: `http://${'['.repeat(100)}` }),
  ]),
  made('rules of messages that cost', () =>
    defined(
      'message',
      spec({
        type: 'string',
        maxLength: 1_000,
        ...rules(
          { rule: "self == 'a'", messageExpression: "'x' + self + self + self + self" },
          { rule: 'true', message: 'm'.repeat(100_000) },
        ),
      }),
    ),
  ),
  request('an object for them, which fails', custom('Message', 'messages', { spec: 'b'.repeat(1_000) })),
  request(
    'a rule that looks at the old',
    defined(
      'old',
      spec({
        type: 'array',
        maxItems: 100,
        items: { type: 'string', maxLength: 10 },
        ...rules('self.all(a, oldSelf.exists(b, a == b))'),
      }),
    ),
  ),
  request(
    'rules of names that are reserved',
    defined(
      'reserved',
      spec({
        type: 'object',
        properties: { __proto__: text, constructor: text, namespace: text, 'a.b-c/d': text, true: text },
        ...rules('has(self.__namespace__) || has(self.constructor) || has(self.a__dot__b__dash__c__slash__d) || true'),
      }),
    ),
  ),
  request('an object for them, with prototypes', {
    ...custom('Reserved', 'reserveds', {}),
    body:
      '{"apiVersion":"hostile.example/v1","kind":"Reserved","metadata":{"generateName":"h-"},' +
      '"spec":{"__proto__":"a","constructor":"b","namespace":"c","a.b-c/d":"d"}}',
  }),
  request(
    'rules within rules',
    defined(
      'map',
      spec({
        type: 'object',
        maxProperties: 1_000,
        additionalProperties: {
          type: 'object',
          maxProperties: 1_000,
          additionalProperties: {
            type: 'array',
            maxItems: 1_000,
            items: { type: 'string', maxLength: 1_000, ...rules('self.size() > 0') },
          },
        },
      }),
    ),
  ),
  made('20 rules without a bound', () =>
    defined(
      'unbound',
      spec({
        type: 'object',
        additionalProperties: {
          type: 'array',
          items: { type: 'array', items: { type: 'string', ...rules(...many(20, () => "self.contains('a')")) } },
        },
      }),
    ),
  ),
  made('a definition of 200 versions', () =>
    post(
      definitions,
      JSON.stringify({
        metadata: { name: 'versions.hostile.example' },
        spec: {
          group: 'hostile.example',
          scope: 'Namespaced',
          names: { plural: 'versions', kind: 'Version' },
          versions: many(200, (i) => ({
            name: `v${i + 1}`,
            served: true,
            storage: i === 0,
            schema: { openAPIV3Schema: spec({ type: 'object', additionalProperties: text }) },
          })),
        },
      }),
    ),
  ),
  made('a definition of 20,000 properties', () =>
    defined(
      'property',
      spec({
        type: 'object',
        properties: Object.fromEntries(many(20_000, (i) => [`p${i}`, { type: 'integer', minimum: i, default: i }])),
      }),
    ),
  ),
  made('a schema of 300 levels of items', () =>
    defined('item', schemaOf(300, (inner) => ({ type: 'array', items: inner })) as object),
  ),
  made('a schema of 900 levels of not', () =>
    defined('not', schemaOf(900, (inner) => ({ type: 'object', not: inner })) as object),
  ),
  made('a schema that is many times itself', () =>
    defined(
      'wide',
      schemaOf(9, (inner) => ({ type: 'object', properties: { a: inner, b: inner, c: inner } })) as object,
    ),
  ),
  made('a schema of 2,000 formats', () =>
    defined(
      'format',
      spec({
        type: 'object',
        properties: Object.fromEntries(
          many(2_000, (i) => [`p${i}`, { type: 'string', format: i % 2 === 0 ? 'uri' : `f${i}` }]),
        ),
      }),
    ),
  ),
  request(
    'formats that patterns choke on',
    defined(
      'formatted',
      spec({
        type: 'object',
        properties: Object.fromEntries(
          [
            'uri',
            'email',
            'hostname',
            'ipv4',
            'ipv6',
            'cidr',
            'mac',
            'uuid',
            'isbn',
            'creditcard',
            'ssn',
            'hexcolor',
            'rgbcolor',
            'byte',
            'password',
            'date',
            'duration',
            'datetime',
          ].map((format) => [format, { type: 'string', format }]),
        ),
      }),
    ),
  ),
  made('an object for them, of 50,000 letters', () =>
    ['1', 'a', '-', '.', '@a.', 'a@'].map((letter) =>
      custom('Formatted', 'formatteds', {
        spec: Object.fromEntries(
          [
            'uri',
            'email',
            'hostname',
            'ipv4',
            'ipv6',
            'cidr',
            'mac',
            'uuid',
            'isbn',
            'creditcard',
            'ssn',
            'hexcolor',
            'rgbcolor',
            'byte',
            'password',
            'date',
            'duration',
            'datetime',
          ].map((format) => [format, letter.repeat(50_000)]),
        ),
      }),
    ),
  ),
  made('a set of 50,000 objects', () =>
    defined('set', spec({ type: 'array', 'x-kubernetes-list-type': 'set', items: text })),
  ),
  made('an object for it, of 50,000 items', () =>
    custom('Set', 'sets', { spec: many(50_000, (i) => `v${i % 49_999}`) }),
  ),
  made('a map of 30,000 items', () =>
    defined(
      'listmap',
      spec({
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['a', 'b'],
        items: { type: 'object', required: ['a', 'b'], properties: { a: text, b: text } },
      }),
    ),
  ),
  made('an object for it, of 30,000 items', () =>
    custom('Listmap', 'listmaps', { spec: many(30_000, (i) => ({ a: `v${i}`, b: 'b' })) }),
  ),
  made('unique items by the thousand', () =>
    defined('unique', spec({ type: 'array', uniqueItems: true, items: text })),
  ),
  made('defaults within defaults', () =>
    defined(
      'defaults',
      spec({
        type: 'object',
        default: {},
        properties: {
          a: {
            type: 'object',
            default: {},
            properties: {
              b: {
                type: 'array',
                default: many(10_000, () => ({ c: 1 })),
                items: {
                  type: 'object',
                  properties: { c: { type: 'integer' }, d: { type: 'string', default: 'x'.repeat(100) } },
                },
              },
            },
          },
        },
      }),
    ),
  ),
  request('an object for them, which is empty', custom('Defaults', 'defaultss', {})),
  made('columns that search everywhere', () =>
    post(
      definitions,
      definition('searched', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }).replace(
        '"served":true',
        '"served":true,"additionalPrinterColumns":' +
          columnsAt([
            '..a..a..a..a',
            '.spec[*][*][*][*]',
            '.spec[?(@.a==@.b)]',
            `.spec${'[*]'.repeat(500)}`,
            ".spec['a','b','c']..x",
            '..',
          ]),
      ),
    ),
  ),
  made('an object for them, which is deep', () =>
    custom('Searched', 'searcheds', {
      spec: JSON.parse(`${'{"a":{"a":[1,2,3],"b":'.repeat(100)}1${'}}'.repeat(100)}`) as unknown,
    }),
  ),
  request('a Table of it', {
    path: '/apis/hostile.example/v1/namespaces/hostile/searcheds',
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
  }),
  request(
    'selectable fields without sense',
    post(
      definitions,
      definition('selectable', spec(text)).replace(
        '"served":true',
        '"served":true,"selectableFields":[{"jsonPath":".spec"},{"jsonPath":".spec[*]"},' +
          '{"jsonPath":".metadata.name"},{"jsonPath":".."}]',
      ),
    ),
  ),
  request(
    'references to elsewhere',
    defined('elsewhere', spec({ $ref: 'https://elsewhere.example/schema', type: 'object' })),
  ),
  request(
    'a conversion by nobody',
    post(
      definitions,
      definition('converted', { type: 'object' }).replace(
        '"scope":',
        '"conversion":{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],' +
          '"clientConfig":{"url":"https://127.0.0.1:1/"}}},"scope":',
      ),
    ),
  ),
  request(
    'a scale by odd paths',
    post(
      definitions,
      definition('scaled', { type: 'object' }).replace(
        '"served":true',
        '"served":true,"subresources":{"status":{},"scale":{"specReplicasPath":".spec[0]",' +
          '"statusReplicasPath":"..","labelSelectorPath":".status.a\\u0000"}}',
      ),
    ),
  ),
  made('a policy of 2,000 validations', () =>
    policy(
      'many',
      many(2_000, (i) => ({ expression: `object.metadata.name != '${i}'` })),
    ),
  ),
  request(
    'a policy that loops within loops',
    policy('loops', [
      {
        expression:
          'object.spec.containers.all(a, object.spec.containers.all(b, object.spec.containers.all(c, ' +
          'object.spec.containers.all(d, a == b && c == d))))',
      },
    ]),
  ),
  made('a policy of variables that double', () =>
    policy('doubling', [{ expression: 'variables.v29.size() > 0' }], {
      variables: [
        { name: 'v0', expression: "'aaaaaaaaaa'" },
        ...many(29, (i) => ({ name: `v${i + 1}`, expression: `variables.v${i} + variables.v${i}` })),
      ],
    }),
  ),
  made('a policy of an expression of 100,000 letters', () =>
    policy('long', [{ expression: `${'!'.repeat(100_000)}true` }]),
  ),
  request(
    'a policy of expressions that are none',
    policy('none', [
      { expression: '' },
      { expression: ')(' },
      { expression: '\u0000' },
      { expression: 'object.' },
      { expression: '__proto__' },
      { expression: '"\\ud800"' },
    ]),
  ),
  request(
    'a policy that mutates without end',
    post(
      '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies',
      JSON.stringify({
        metadata: { name: 'mutates' },
        spec: {
          reinvocationPolicy: 'IfNeeded',
          matchConstraints: {
            resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
          },
          mutations: [
            {
              patchType: 'JSONPatch',
              jsonPatch: { expression: '[JSONPatch{op: "add", path: "/metadata/labels/a", value: "b"}]' },
            },
          ],
        },
      }),
    ),
  ),
  made('match conditions by the thousand', () =>
    policy('conditions', [{ expression: 'true' }], {
      matchConditions: many(1_000, (i) => ({ name: `c${i}`, expression: 'true' })),
    }),
  ),
  made('a patch of a definition to another', () =>
    patch(
      jsonPatch,
      JSON.stringify([{ op: 'replace', path: '/spec/group', value: 'apps' }]),
      `${definitions}/formatteds.hostile.example`,
    ),
  ),
];
