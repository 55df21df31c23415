export { chainProblem as certificateChainProblem } from './verify-chain.ts';
export { authoritiesOf, certificatesOf, parseCertificates } from './certificates-of.ts';
export { encodePEM, firstPEMBlock, pemBlocks } from './pem.ts';
export type { PEMBlock } from './pem.ts';
export { trustBundle } from './trust-bundle.ts';
export { createCertificate } from './create-certificate.ts';
export { readCertificateRequest } from './certificate-request.ts';
export type { CertificateRequestContent } from './certificate-request.ts';
export { endOfCertificate, signRequest } from './sign-request.ts';
