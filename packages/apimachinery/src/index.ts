export type {
  GroupResource,
  GroupVersion,
  GroupVersionKind,
  GroupVersionResource,
  JSONValue,
  KubeObject,
  ManagedFieldsEntry,
  ObjectMeta,
  OwnerReference,
} from './object/object.ts';
export { nullNames } from './schema/null-names.ts';
export { encodingSchema } from './runtime/scheme.ts';
export type { KindInfo, Scheme } from './runtime/scheme.ts';
export type { Embed, Field, ListSchema, ScalarSchema, Schema, StructSchema } from './schema/schema.ts';
export { limits } from './limits/limits.ts';
export type { Limit } from './limits/limit.ts';
export { StatusError } from './errors/status.ts';
export type { Status, StatusCause, StatusDetails, StatusReason } from './errors/status.ts';
export {
  alreadyExists,
  applyConflict,
  badRequest,
  conflict,
  forbidden,
  generateNameConflict,
  genericServerResponse,
  gone,
  internalError,
  invalid,
  methodNotSupported,
  notAcceptable,
  notFound,
  requestEntityTooLarge,
  resourceExpired,
  serverTimeout,
  serviceUnavailable,
  timeoutError,
  tooLargeResourceVersion,
  tooManyRequests,
  tooManyRequestsError,
  unclassifiedError,
  unauthorized,
  unsupportedMediaType,
} from './errors/constructors.ts';
export type { GenericServerResponseOptions } from './errors/constructors.ts';
export {
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isForbidden,
  isGone,
  isInternalError,
  isInvalid,
  isMethodNotSupported,
  isNotFound,
  isRequestEntityTooLarge,
  isResourceExpired,
  isServerTimeout,
  isServiceUnavailable,
  isStatusError,
  isTimeout,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isUnauthorized,
  suggestsClientDelay,
  toStatus,
} from './errors/guards.ts';
export {
  byteLength,
  compareText,
  goFloat,
  escapeHTML,
  goJSON,
  goNumber,
  goQuote,
  goStringVerb,
  goValue,
  isPrintable,
} from './errors/go-format.ts';
export { FieldPath } from './errors/field-path.ts';
export {
  areEnough,
  FieldError,
  aggregateMessage,
  aggregateTexts,
  asFloat,
  duplicate,
  duplicateOmitted,
  forbiddenValue,
  internalFieldError,
  invalidOmitted,
  invalidValue,
  notSupported,
  required,
  toCauses,
  tooFew,
  tooLong,
  tooLongCharacters,
  tooMany,
  tooShort,
  typeInvalid,
  valueNotFound,
  textByPointer,
} from './errors/field-error.ts';
export type { FieldErrorType } from './errors/field-error.ts';
export {
  isCIdentifier,
  isConditionReason,
  isConfigMapKey,
  isDNS1035Label,
  isDNS1123Label,
  isDNS1123Subdomain,
  isDNS1123SubdomainWithUnderscore,
  isEnvVarName,
  isHTTPHeaderName,
  isInRange,
  isLabelValue,
  isLongName,
  isPathSegmentName,
  isPathSegmentPrefix,
  isQualifiedName,
  isRelaxedEnvVarName,
  isValidPercent,
  isValidPortName,
  isValidPortNum,
  isValidUserId,
  isWildcardDNS1123Subdomain,
  maxLengthMessage,
  rangeMessage,
  regexMessage,
} from './validation/names.ts';
export {
  TOTAL_ANNOTATION_SIZE_LIMIT,
  nameIsAnything,
  nameIsDNS1035Label,
  nameIsDNSLabel,
  nameIsDNSSubdomain,
  nameIsLongName,
  nameIsPathSegment,
  validateAnnotations,
  validateFieldManager,
  validateFinalizers,
  validateLabels,
  validateObjectMeta,
  validateObjectMetaUpdate,
  validateOwnerReferences,
} from './validation/object-meta.ts';
export type { NameValidator, ObjectMetaValidation } from './validation/object-meta.ts';
export type { FieldRequirement, FieldSelector, LabelSelector } from './selectors/selector.ts';
export { LabelRequirement } from './selectors/requirement.ts';
export {
  everyLabel,
  noLabel,
  parseLabelSelector,
  selectorFromMap,
  selectorFromObject,
  selectorOf,
} from './selectors/label-selector.ts';
export type { LabelRequirements, LabelSelectorObject } from './selectors/label-selector.ts';
export { everyField, fieldSelectorOf, parseFieldSelector } from './selectors/field-selector.ts';
export { addFinalizer, controllerOf, ensureMeta, isBeingDeleted } from './meta/accessors.ts';
export { generateName, randomSuffix } from './meta/generate-name.ts';
export { FormatError, isFormatError } from './errors/format-error.ts';
export { messageOf } from './errors/message-of.ts';
export { Backoff, backoffMs } from './wait/backoff.ts';
export type { BackoffOptions } from './wait/backoff.ts';
export { LRUMap } from './object/lru-map.ts';
export { FairQueue } from './wait/fair-queue.ts';
export { Fifo } from './wait/fifo.ts';
export { loopTurns } from './wait/loop-turns.ts';
export { sleep } from './wait/sleep.ts';
export { whenAborted } from './wait/when-aborted.ts';
export { TokenBucket } from './wait/token-bucket.ts';
export { systemRandomness } from './wait/randomness.ts';
export type { Randomness, RepeatableDraws } from './wait/randomness.ts';
export { seededRandomness, seededStartMs, seedOf, seedVariable } from './wait/seeded-randomness.ts';
export { monotonicClock, systemClock } from './wait/timer-clock.ts';
export type { Timer, TimerClock } from './wait/timer-clock.ts';
export { formatMicroTime, formatTime, parseTime } from './meta/time.ts';
export type { Clock } from './meta/time.ts';
export { parseRFC3339 } from './meta/rfc3339.ts';
export {
  cloneDecoded,
  emptiedFields,
  forgetEmptied,
  hasEmptied,
  isGiven,
  copyDecoded,
  noteEmptied,
  printed,
  wasEmptied,
} from './object/emptied.ts';
export { formatDuration, parseDuration } from './meta/duration.ts';
export { Quantity } from './quantity/quantity.ts';
export { canonicalQuantity } from './quantity/canonical.ts';
export type { QuantityFormat } from './quantity/suffix.ts';
export type { Converter } from './runtime/converter.ts';
export type { Defaulter } from './runtime/defaulter.ts';
export { createScheme } from './runtime/create-scheme.ts';
export { builtinScheme } from './builtin/builtin-scheme.ts';
export { dropRoundTripAnnotations } from './builtin/converters/horizontal-pod-autoscaler.ts';
export { compatibleStorageVersion } from './builtin/compatible-storage-version.ts';
export { builtinRelease, knownReleases, loadRelease } from './builtin/load-release.ts';
export { minorOf } from './builtin/release.ts';
export type { Release } from './builtin/release.ts';
export { isDefaulted } from './runtime/is-defaulted.ts';
export { builtinGroups, builtinResources, removedResources } from './runtime/resource-facts.ts';
export type { OptionalResourceFacts, ResourceFacts } from './runtime/resource-facts.ts';
export { formatGroupVersion, gvkOf, parseGroupVersion } from './runtime/group-version.ts';
export { compareVersions } from './runtime/version-order.ts';
export { definitionNames, schemaFor } from './schema/builtin.ts';
export { UnknownDefinitionError } from './schema/schema-table.ts';
export { goFieldName } from './schema/go-field-name.ts';
export { goTypeOf } from './schema/go-name.ts';
export { structuralSchema } from './schema/structural.ts';
export type { OpenAPIV3Schema } from './schema/structural.ts';
export { DecodeError, isDecodeError } from './serializer/decode-error.ts';
export type { Decoded, DecodeOptions, FieldValidation } from './serializer/decoded.ts';
export { decodeCBOR, encodeCBOR, readCBOR } from './serializer/cbor/cbor.ts';
export { countCBORValues } from './serializer/cbor/count-values.ts';
export { CBORWriter } from './serializer/cbor/write-cbor.ts';
export { isCBOR } from './serializer/cbor/wire.ts';
export { decodeErrorStatus } from './serializer/decode-status.ts';
export { withDefaults } from './serializer/identify.ts';
export { decodeJSON } from './serializer/json/decode.ts';
export { decodeRecord } from './serializer/json/decode-record.ts';
export { fitsSchema } from './serializer/json/fits-schema.ts';
export { decodeStruct } from './serializer/json/decode-struct.ts';
export { JSONScanner, ScanError } from './serializer/json/json-scanner.ts';
export { parseJSON } from './serializer/json/parse-text.ts';
export { countValues, manyValues, refuseManyValues } from './serializer/json/many-values.ts';
export { parseExactly, parseJSONValue } from './serializer/json/parse-value.ts';
export { stringifyJSON } from './serializer/json/stringify.ts';
export type { ParsedValue } from './serializer/json/parse-value.ts';
export { sortedForm } from './serializer/json/wire-form.ts';
export {
  dataText,
  encodeJSON,
  encodeJSONText,
  encodeStoredJSON,
  toStoredForm,
  toWireForm,
} from './serializer/json/encode.ts';
export { syntaxError } from './serializer/json/syntax-error.ts';
export { decodeProtobuf, encodeProtobuf, encodeProtobufMessage, hasProtobuf } from './serializer/protobuf/protobuf.ts';
export { isProtobuf, PROTOBUF_PREFIX } from './serializer/protobuf/envelope.ts';
export { decodeWatchFrame, encodeWatchFrame } from './serializer/protobuf/watch-frame.ts';
export { corruptBase64 } from './serializer/json/exact-decode.ts';
export { decodeYAML, encodeYAML, loadYAMLEmitter, readYAML, strictWarnings } from './serializer/yaml/yaml.ts';
export { applyJSONPatch, decodeJSONPatch } from './patch/json-patch.ts';
export { hasUnknownMembers, jsonPatchFieldErrors } from './patch/json-patch-fields.ts';
export { goTypeName } from './patch/go-types.ts';
export { append } from './object/append.ts';
export { cloneJSON, equalJSON, isJSONObject } from './object/json-object.ts';
export { formatGroupResource } from './object/group-resource.ts';
export { foregroundFinalizer, isStandardFinalizer, orphanFinalizer } from './object/finalizers.ts';
export {
  appArmorContainerAnnotationPrefix,
  betaStorageClassAnnotation,
  mirrorPodAnnotation,
  seccompContainerAnnotationPrefix,
  seccompPodAnnotation,
} from './object/annotations.ts';
export { isPlainObject } from './object/is-plain-object.ts';
export { trimEndOf, trimOf } from './runtime/trim.ts';
export type { JSONObject } from './object/json-object.ts';
export { applyMergePatch, decodeMergePatch, withoutNulls } from './patch/merge-patch.ts';
export { trimSpace } from './text/trim-space.ts';
export { unescapePath } from './text/unescape-path.ts';
export { FloatMarks, NumberTexts } from './patch/number-texts.ts';
export { jsonPatchedText, mergePatchedText } from './patch/patched-text.ts';
export { strategicMergePatch } from './patch/strategic-merge.ts';
export { noPause, type Pause } from './limits/pause.ts';
export { FieldManager } from './apply/field-manager.ts';
export type { FieldFilter } from './apply/field-filter.ts';
export { ScaleHandler } from './apply/scale-handler.ts';
export type { ReplicasPaths } from './apply/scale-handler.ts';
export { fromUnstructured } from './patch/from-unstructured.ts';
export type { FromUnstructured } from './patch/from-unstructured.ts';
export { addressBits, formatIPAddress, parseCIDR, parseIPAddress } from './validation/ip-address.ts';
export type { CIDR, IPAddress } from './validation/ip-address.ts';
export {
  cidrWarnings,
  ipWarnings,
  validateCIDR,
  validateIP,
  validateLegacyCIDR,
  validateLegacyIP,
} from './validation/ip.ts';
export { parseRequestURI, parseURL } from './validation/go-url.ts';
export { parseQuery } from './validation/parse-query.ts';
export { repeats } from './validation/repeats.ts';
export type { GoURL } from './validation/go-url.ts';
export {
  operatorErrors,
  validateLabelRequirement,
  validateLabelSelector,
} from './selectors/validate-label-selector.ts';
export { validateCondition, validateConditions } from './validation/conditions.ts';
export type { LabelSelectorRules } from './selectors/validate-label-selector.ts';
export type { ReleaseAge } from './validation/release-age.ts';
export type { Condition } from './validation/conditions.ts';
export {
  validateDomainPrefixedKey,
  validateDomainPrefixedPath,
  validateFullyQualifiedDomainName,
  validateFullyQualifiedName,
} from './validation/domain-names.ts';
export { formatCheck, isKnownFormat } from './formats/formats.ts';
export { GoValue } from './apply/go-value.ts';
export { checkManagedFields, mergeConfiguration } from './apply/merge-configuration.ts';
