export { podStrategy } from './registry/core/pod/strategy.ts';
export { registerDefaults } from './registry/register-defaults.ts';
