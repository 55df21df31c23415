export { createCertificate } from './create-certificate.ts';
export type { CertificateOptions } from './create-certificate.ts';
