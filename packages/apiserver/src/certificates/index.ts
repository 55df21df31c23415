export { chainProblem as certificateChainProblem } from '../authentication/x509/verify-chain.ts';
export { authoritiesOf, certificatesOf, parseCertificates } from './certificates-of.ts';
export { encodePEM, firstPEMBlock, pemBlocks } from './pem.ts';
export type { PEMBlock } from './pem.ts';
export { trustBundle } from './trust-bundle.ts';
export type { TrustOptions } from './trust-bundle.ts';
export { createCertificate } from './create-certificate.ts';
export type { CertificateOptions } from './create-certificate.ts';
