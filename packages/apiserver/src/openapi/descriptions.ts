/** Entry point `@kubechain/apiserver/descriptions`: texts of types, for builds that record them. */
export { PackageDescriptions } from './package-descriptions.ts';
export { recordDescriptions, RECORDED_FILE_NAME } from './recorded-descriptions.ts';
