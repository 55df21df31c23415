/**
 * `@kubechain/apimachinery/yaml`: YAML for those who cannot wait for its reader to be loaded: files that flags name.
 */
export { yamlValue } from './yaml-value.ts';
