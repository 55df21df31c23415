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
