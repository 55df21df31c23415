/**
 * `@kubechain/apimachinery/yaml`: YAML for those who cannot wait for its reader to be loaded: files that flags name,
 * and what is stored.
 */
export { decodeYAMLAtOnce } from './decode-at-once.ts';
export { yamlValue } from './yaml-value.ts';
