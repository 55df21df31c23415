import { expect } from 'chai';
import { imageTag } from './image-name.ts';

const digest = `@sha256:${'a'.repeat(64)}`;
const rows: readonly (readonly [name: string, image: string, tag: string])[] = [
  ['a name alone', 'nginx', 'latest'],
  ['a tag', 'nginx:1.25', '1.25'],
  ['a port is no tag', 'localhost:5000/nginx', 'latest'],
  ['host, port and tag', 'registry.example.com:5000/a/b:v1', 'v1'],
  ['a digest alone', `nginx${digest}`, ''],
  ['tag and digest', `nginx:latest${digest}`, 'latest'],
  ['nothing', '', ''],
  ['capitals in the path', 'library/Nginx', ''],
  ['a name of 256 characters', 'a'.repeat(238), ''],
  ['the longest name', `${'a'.repeat(237)}:v1`, 'v1'],
  ['a bare digest', 'a'.repeat(64), ''],
  ['an IPv6 host', '[::1]:5000/nginx', 'latest'],
];

describe('imageTag', () => {
  for (const [name, image, tag] of rows)
    it(name, () => {
      expect(imageTag(image)).to.equal(tag);
    });
});
