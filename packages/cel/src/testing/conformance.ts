import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';
import { compileExpression, isCompileFailure } from '../compile.ts';
import { baseFunctions } from '../libraries/libraries.ts';
import {
  dynType,
  isSameType,
  listOf,
  mapOf,
  nullType,
  optionalOf,
  paramType,
  simpleType,
  typeOf,
  typeText,
} from '../types/types.ts';
import type { CelType } from '../types/types.ts';
import { equalValues } from '../values/equality.ts';
import { parseCelDuration, readTime } from '../values/time.ts';
import { CelError, CelTypeValue, CelUint, EntryMap, ItemList, isCelError } from '../values/values.ts';

/**
 * A test of cel-spec (cel.expr.conformance.test.SimpleTest as JSON), with the names of the sections that it stands in.
 */
export interface ConformanceTest {
  readonly path: string;
  readonly expr: string;
  readonly container?: string;
  readonly disableCheck?: boolean;
  readonly checkOnly?: boolean;
  readonly typeEnv?: readonly { readonly name: string; readonly ident?: { readonly type: WireType } }[];
  readonly bindings?: Readonly<Record<string, { readonly value: WireValue }>>;
  readonly value?: WireValue;
  readonly typedResult?: { readonly result?: WireValue; readonly deducedType?: WireType };
  readonly evalError?: object;
}

type WireValue = Readonly<Record<string, unknown>>;
type WireType = Readonly<Record<string, unknown>>;
interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly { readonly original: object }[];
}

/** The tests of cel-spec, by file. */
export function conformanceTests(): ReadonlyMap<string, readonly ConformanceTest[]> {
  return new Map(
    (tests.suites ?? []).map((suite): [string, ConformanceTest[]] => [suite.name, [...testsOf(suite, suite.name)]]),
  );
}

function* testsOf(suite: Suite, path: string): Generator<ConformanceTest> {
  for (const { original } of suite.tests ?? []) {
    const test = original as Omit<ConformanceTest, 'path'> & { readonly name?: string };
    yield { ...test, path: `${path}/${test.name ?? test.expr}` };
  }
  for (const inner of suite.suites ?? []) yield* testsOf(inner, `${path}/${inner.name}`);
}

/** The test needs what Kubernetes' environment has not. */
export class OtherEnvironment extends Error {}

const otherEnvironment =
  /`|TestAllTypes|GlobalEnum|google\.protobuf\.\w+ *\{|google\.protobuf\.(?!Timestamp|Duration)|\bcel\.(?:bind|block|@block|index|iterVar|accuVar)|\b(?:math|base64|proto)\./;

/**
 * Runs a test in Kubernetes' environment: how its outcome differs from what is expected, `undefined` if it does not.
 * @throws OtherEnvironment
 */
export function differenceOf(test: ConformanceTest): string | undefined {
  if (test.disableCheck === true || (test.container ?? '') !== '' || otherEnvironment.test(test.expr))
    throw new OtherEnvironment();
  const variables = new Map(
    (test.typeEnv ?? []).map(({ name, ident }): [string, CelType] => {
      if (ident === undefined) throw new OtherEnvironment();
      return [name, typeOfWire(ident.type)];
    }),
  );
  for (const name of Object.keys(test.bindings ?? {})) if (!variables.has(name)) variables.set(name, dynType);
  const values = [...variables.keys()].map((name) =>
    test.bindings?.[name] === undefined
      ? new CelError(`no such attribute(s): ${name}`)
      : valueOfWire(test.bindings[name].value),
  );
  const wanted = test.value ?? test.typedResult?.result;
  const expected = wanted === undefined ? true : valueOfWire(wanted);
  const program = compileExpression(test.expr, { variables, functions: baseFunctions });
  if (isCompileFailure(program)) return test.evalError === undefined ? program.text.split('\n', 1)[0] : undefined;
  const deduced = test.typedResult?.deducedType;
  if (deduced !== undefined && !('typeParam' in deduced) && !isSameType(typeOfWire(deduced), program.type))
    return `has the type ${typeText(program.type)}`;
  if (test.checkOnly === true) return undefined;
  const { result } = program.run(values, Number.MAX_SAFE_INTEGER);
  if (test.evalError !== undefined) return isCelError(result) ? undefined : 'does not fail';
  if (isCelError(result)) return result.message;
  return isSame(expected, result) ? undefined : 'has another value';
}

function isSame(expected: unknown, result: unknown): boolean {
  if (Number.isNaN(expected)) return Number.isNaN(result);
  return typeof expected === typeof result && equalValues(expected, result) === true;
}

function valueOfWire(wire: WireValue): unknown {
  const [[kind, value] = ['', undefined]] = Object.entries(wire);
  switch (kind) {
    case 'nullValue':
      return null;
    case 'boolValue':
    case 'stringValue':
      return value;
    case 'int64Value':
      return BigInt(value as string);
    case 'uint64Value':
      return new CelUint(BigInt(value as string));
    case 'doubleValue':
      return Number(value);
    case 'bytesValue':
      return Uint8Array.from(Buffer.from(value as string, 'base64'));
    case 'typeValue':
      return new CelTypeValue(value as string);
    case 'listValue':
      return new ItemList((value as { values?: WireValue[] }).values?.map(valueOfWire) ?? []);
    case 'mapValue':
      return EntryMap.of(
        (value as { entries?: { key: WireValue; value: WireValue }[] }).entries?.map((entry) => [
          valueOfWire(entry.key),
          valueOfWire(entry.value),
        ]) ?? [],
      );
    case 'objectValue':
      return valueOfMessage(value as { '@type': string; value?: unknown });
    default:
      throw new OtherEnvironment();
  }
}

function valueOfMessage({ '@type': type, value }: { readonly '@type': string; readonly value?: unknown }): unknown {
  switch (type) {
    case 'type.googleapis.com/google.protobuf.Timestamp':
      return readTime(value as string);
    case 'type.googleapis.com/google.protobuf.Duration':
      return parseCelDuration(value as string);
    default:
      throw new OtherEnvironment();
  }
}

const primitives = {
  BOOL: 'bool',
  INT64: 'int',
  UINT64: 'uint',
  DOUBLE: 'double',
  STRING: 'string',
  BYTES: 'bytes',
} as const;

function typeOfWire(wire: WireType): CelType {
  const [[kind, of] = ['', undefined]] = Object.entries(wire);
  switch (kind) {
    case 'primitive':
      return simpleType(primitives[of as keyof typeof primitives]);
    case 'null':
      return nullType;
    case 'dyn':
      return dynType;
    case 'typeParam':
      return paramType(of as string);
    case 'type':
      return typeOf(typeOfWire(of as WireType));
    case 'listType':
      return listOf(typeOfWire((of as { elemType: WireType }).elemType));
    case 'mapType': {
      const { keyType, valueType } = of as { keyType: WireType; valueType: WireType };
      return mapOf(typeOfWire(keyType), typeOfWire(valueType));
    }
    case 'wellKnown':
      return simpleType(of === 'TIMESTAMP' ? 'timestamp' : 'duration');
    case 'abstractType': {
      const { name, parameterTypes = [] } = of as { name: string; parameterTypes?: WireType[] };
      if (name === 'optional_type') return optionalOf(typeOfWire(parameterTypes[0] ?? { dyn: {} }));
      throw new OtherEnvironment();
    }
    default:
      throw new OtherEnvironment();
  }
}
