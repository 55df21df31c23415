export { deploymentStrategy } from './registry/apps/deployment/strategy.ts';
export { configMapStrategy } from './registry/core/configmap/strategy.ts';
export { podStrategy } from './registry/core/pod/strategy.ts';
export { builtInScheme } from './registry/built-in-defaults.ts';
export { capabilitiesOf } from './registry/capabilities.ts';
