export { deploymentStrategy } from './registry/apps/deployment/strategy.ts';
export { configMapStrategy } from './registry/core/configmap/strategy.ts';
export { podStrategy } from './registry/core/pod/strategy.ts';
export { registerDefaults } from './registry/register-defaults.ts';
