import { expect } from 'chai';
import { detectContentType } from './detect-content-type.ts';
import { statusText } from './status-text.ts';

const rows: readonly (readonly [body: string, type: string])[] = [
  ['', 'text/plain; charset=utf-8'],
  ['{"kind":"Status"}', 'text/plain; charset=utf-8'],
  ['<html></html>', 'text/html; charset=utf-8'],
  [' \n<!doctype html >', 'text/html; charset=utf-8'],
  ['<b>', 'text/html; charset=utf-8'],
  ['<bold>', 'text/plain; charset=utf-8'],
  ['  <?xml version="1.0"?>', 'text/xml; charset=utf-8'],
  ['%PDF-1.7', 'application/pdf'],
  ['\x89PNG\r\n\x1a\n…', 'image/png'],
  ['\x1f\x8b\x08\0', 'application/x-gzip'],
  ['k8s\0\n', 'application/octet-stream'],
  ['\x1b[0m', 'text/plain; charset=utf-8'],
  [`${'x'.repeat(512)}\0`, 'text/plain; charset=utf-8'],
];

describe('the type of a body that has none', () => {
  for (const [body, type] of rows)
    it(`${JSON.stringify(body.slice(0, 24))} is ${type}`, () => {
      expect(detectContentType(Buffer.from(body, 'latin1'))).to.equal(type);
    });
});

describe('phrases of status lines', () => {
  for (const [code, phrase] of [
    [200, 'OK'],
    [413, 'Request Entity Too Large'],
    [416, 'Requested Range Not Satisfiable'],
    [418, "I'm a teapot"],
    [299, 'status code 299'],
    [999, 'status code 999'],
  ] as const) {
    it(`${code} is ${phrase}`, () => {
      expect(statusText(code)).to.equal(phrase);
    });
  }
});
