import type { Limit } from './limit.ts';

/** Limits of what is answered to what is refused. */
export const errorLimits = {
  refusalText: {
    value: 1024 * 1024,
    unit: 'characters',
    of: 'what one refusal tells: no further mistakes are listed once those before them have so much text',
    reference: undefined,
    source: 'mistakes that quote a whole list, one for each of its items, would become gigabytes',
    refusal: '422, with the first mistakes only',
    spec: 'packages/apimachinery/src/errors/field-error.spec.ts',
  },
  callStack: {
    value: 984 * 1024,
    unit: 'bytes',
    of: "the call stack (V8's own size): what walks an object recurses",
    reference: 1_000_000_000,
    source: 'maxstacksize of Go, 1 GB; what is within jsonDepth may be too deep for what is done with it',
    refusal: '413 `Request entity too large: the object nests too deeply`',
    spec: 'packages/apiserver/src/responses/error-to-status.spec.ts',
  },
} as const satisfies Readonly<Record<string, Limit>>;
