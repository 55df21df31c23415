/** Expressions of the Common Expression Language, as Kubernetes uses them. */
export { compileExpression, isCompileFailure, perCallLimit } from './compile.ts';
export type { Evaluation, Program } from './compile.ts';
export type { Environment } from './environment.ts';
export type { SizeHints } from './cost/estimate.ts';
export type { Range } from './cost/ranges.ts';
export { maxCost } from './cost/ranges.ts';
export { Interruption } from './plan/frame.ts';
export { deviceEnvironment } from './devices/device-environment.ts';
export { deviceValue } from './devices/device-value.ts';
export { RequestAuthorizer, ResourceCheck } from './libraries/authorizers.ts';
export { baseFunctions, formerFunctions, formerPatchFunctions, patchFunctions } from './libraries/libraries.ts';
export type { Expr } from './syntax/expr.ts';
export { parseExpression } from './syntax/parser.ts';
export { escapeName, isReserved, reservedWords, unescapeName } from './syntax/escape-name.ts';
export {
  boolType,
  dynType,
  intType,
  isSameType,
  listOf,
  mapOf,
  nullType,
  objectOf,
  optionalOf,
  parseType,
  runtimeTypeText,
  simpleType,
  stringType,
} from './types/types.ts';
export type { CelType } from './types/types.ts';
export { CelError, CelOptional, CelTime, isCelError, isList } from './values/values.ts';
export type { CelList, CelMap } from './values/values.ts';
export { JSONPatchValue, jsonPatchListType, misplacedObjects, mutationMessage, objectType } from './values/messages.ts';
export { isTooLargeToKeep } from './plan/work.ts';
export { configurationOf } from './values/to-native.ts';
export { fromPlainJSON } from './values/plain-json.ts';
export { parseCelDuration, readTime } from './values/time.ts';
