import type { Limit } from './limit.ts';

const MiB = 1024 * 1024;

/** Limits of what is read: bodies, documents, patches. */
export const inputLimits = {
  requestBody: {
    value: 3 * MiB,
    unit: 'bytes',
    of: 'the body of a request',
    reference: 3 * MiB,
    source: 'apiserver/pkg/server/config.go, MaxRequestBodyBytes',
    refusal: '413 `Request entity too large: limit is 3145728`',
    spec: 'packages/apiserver/src/endpoints/handlers/handlers.spec.ts',
  },
  jsonDepth: {
    value: 2_500,
    unit: 'levels',
    of: 'nested objects and lists in JSON',
    reference: 10_000,
    source: 'encoding/json, maxNestingDepth; less here because what walks an object recurses',
    refusal: "400 `invalid character '[' exceeded max depth`",
    spec: 'packages/apimachinery/src/serializer/json/syntax-error.spec.ts',
  },
  yamlDepth: {
    value: 2_500,
    unit: 'levels',
    of: 'nested mappings and lists in YAML',
    reference: 10_000,
    source: 'go.yaml.in/yaml/v2, scannerc.go; less here for the reason of jsonDepth',
    refusal: '400 `yaml: exceeded max depth of 2500`',
    spec: 'packages/apimachinery/src/serializer/yaml/yaml.spec.ts',
  },
  yamlIndentation: {
    value: 16 * MiB,
    unit: 'bytes',
    of: 'indentation in one YAML answer; beyond, it may be up to 90 % of the answer',
    reference: undefined,
    source: 'small objects that nest thousands of levels deep would become gigabytes',
    refusal: '406 `the object nests too deeply to be written as YAML`',
    spec: 'packages/apimachinery/src/serializer/yaml/yaml.spec.ts',
  },
  yamlAliases: {
    value: 99,
    unit: 'percent',
    of: 'nodes that come from aliases, in a document of up to 400,000 nodes; down to 10 % at 4,000,000',
    reference: 99,
    source: 'go.yaml.in/yaml/v2, decode.go, allowedAliasRatio',
    refusal: '400 `yaml: document contains excessive aliasing`',
    spec: 'packages/apimachinery/src/serializer/yaml/yaml.spec.ts',
  },
  quantityDigits: {
    value: 1_000,
    unit: 'digits',
    of: 'a quantity, written out (`1e3` has three more than `1`), leading zeros left out',
    reference: undefined,
    source: 'numbers without a bound hold the process for minutes when they are added or compared',
    refusal: '400 or 422 `unable to parse numeric part of quantity`',
    spec: 'packages/apimachinery/src/quantity/quantity.spec.ts',
  },
  jsonPatchCopies: {
    value: 3 * MiB,
    unit: 'bytes',
    of: 'what the `copy` operations of one JSON patch add up to, as JSON',
    reference: 3 * MiB,
    source: 'apiserver/pkg/server/config.go, JSONPatchMaxCopyBytes',
    refusal:
      '422 `Unable to complete the copy, the accumulated size increase of copy is N, exceeding the limit 3145728`',
    spec: 'packages/apimachinery/src/patch/patch.spec.ts',
  },
  jsonPatchMoves: {
    value: 50_000_000,
    unit: 'items',
    of: 'list items that move when the operations of one JSON patch put others in before them or take some out',
    reference: undefined,
    source: 'thousands of operations at the start of a list of a million items would take seconds',
    refusal: '413 `The allowed maximum of list items that a JSON patch moves is 50000000`',
    spec: 'packages/apimachinery/src/patch/patch.spec.ts',
  },
  jsonPatchOperations: {
    value: 10_000,
    unit: 'operations',
    of: 'one JSON patch',
    reference: 10_000,
    source: 'apiserver/pkg/endpoints/handlers/patch.go, maxJSONPatchOperations',
    refusal: '413 `The allowed maximum operations in a JSON patch is 10000, got N`',
    spec: 'packages/apimachinery/src/patch/patch.spec.ts',
  },
} as const satisfies Readonly<Record<string, Limit>>;
