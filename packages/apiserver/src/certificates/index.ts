export { trustBundle } from './trust-bundle.ts';
export type { TrustOptions } from './trust-bundle.ts';
export { createCertificate } from './create-certificate.ts';
export type { CertificateOptions } from './create-certificate.ts';
