// Reads an AsyncAPI document as its tools do, and ends with 1 for anything but hints.
import {fromFile, Parser} from '@asyncapi/parser';

const {document, diagnostics} = await fromFile(new Parser(), process.argv[2]).parse();
const HINT = 3;
const faults = diagnostics.filter(({severity}) => severity < HINT);
faults.forEach(({code, message, path}) => console.error(`${path.join('.')}: ${message} (${code})`));
console.log(`${document?.allMessages().length ?? 0} messages`);
process.exit(document && faults.length === 0 ? 0 : 1);
