import { expect } from 'chai';
import { acceptedRepresentation, representations } from './media-type.ts';

describe('acceptedRepresentation', () => {
  const offered = representations('v2');
  const cases: readonly (readonly [name: string, accept: string | undefined, format: string | undefined])[] = [
    ['nothing is JSON', undefined, 'json'],
    ['anything is JSON', '*/*', 'json'],
    ['the old name of protobuf', 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf', 'protobuf'],
    ['the new name of protobuf', 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf', 'protobuf'],
    ['protobuf of the other version', 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf', undefined],
    [
      'the better quality wins',
      'application/json;q=0.5, application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
      'protobuf',
    ],
    ['a star alone is anything', '*', 'json'],
    ['what is no type is nothing', 'json', undefined],
    ['YAML is not offered', 'application/yaml', undefined],
  ];
  for (const [name, accept, format] of cases) {
    it(name, () => {
      expect(acceptedRepresentation(accept, offered)?.format).to.equal(format);
    });
  }
});
