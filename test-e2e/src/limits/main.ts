/** Writes docs/limits.md from the table of limits: `npm run limits`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { limitsDocument } from './document.ts';

writeFileSync(join(import.meta.dirname, '../../../docs/limits.md'), limitsDocument());
