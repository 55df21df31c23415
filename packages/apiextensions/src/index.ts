export { objectRules } from './cel/object-rules.ts';
export { noneConverter } from './conversion/object-converter.ts';
export type { CustomResourceDefinition } from './definition/crd-types.ts';
export { encodeCustom, parseCustom } from './custom-resources/custom-codec.ts';
export { customScheme } from './custom-resources/custom-scheme.ts';
export { customStrategy } from './custom-resources/strategy.ts';
export { VersionSchemas } from './custom-resources/version-schema.ts';
