/**
 * What is used of @peculiar/x509, in a module of its own to be loaded when it is first needed. (A package without ES
 * modules that is itself imported so has but a default export in the bundle.)
 */
import 'reflect-metadata';

export { Pkcs10CertificateRequest } from '@peculiar/x509';
