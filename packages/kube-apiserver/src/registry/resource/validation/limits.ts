/* Sizes of dynamic resource allocation (k8s.io/api/resource/v1, 1.36): bytes of texts, entries of lists and maps. */

export const maxPoolName = 253;
export const maxDomain = 63;
export const maxIdentifier = 32;
export const maxDriverName = 63;
export const maxAttributeText = 64;
export const maxAttributesAndCapacities = 32;
export const maxAttributeValues = 48;
export const maxDevices = 128;
/** Of slices whose devices have taints, use counters or have lists as attributes. */
export const maxAdvancedDevices = 64;
export const maxTaints = 16;
export const maxCounterSets = 8;
export const maxCounters = 32;
export const maxConsumedSets = 2;
export const maxBindingConditions = 4;
export const maxRequestValues = 10;
export const maxRequests = 32;
export const maxConstraints = 32;
export const maxConfigs = 32;
export const maxSelectors = 32;
export const maxAlternatives = 8;
export const maxReservations = 256;
export const maxResults = 32;
export const maxExpression = 10 * 1024;
export const maxExpressionCost = 1_000_000;
export const maxParameters = 10 * 1024;
export const maxDeviceData = 10 * 1024;
export const maxDeviceConditions = 8;
export const maxInterfaceName = 256;
export const maxHardwareAddress = 128;
export const maxAddresses = 16;
