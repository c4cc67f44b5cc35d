import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type PythonValue, parsePythonLiteral } from './python-literal.ts';

function literal(text: string): PythonValue | undefined {
  return parsePythonLiteral(text)?.value;
}

test('a dict of a Modbus exchange, as Python 2 and 3 write it', () => {
  const expected = new Map<PythonValue, PythonValue>([
    ['function_code', 43],
    ['slave_id', null],
    ['request', '1337'],
  ]);
  assert.deepEqual(literal("{'function_code': 43, 'slave_id': None, 'request': '1337'} (id)"), expected);
  assert.deepEqual(literal("{'function_code': 43L, u'slave_id': None, 'request': b'1337'}"), expected);
});

test('a tuple of an HTTP request', () => {
  assert.deepEqual(literal(`('/a?b=\\'c"', ['Host: x\\r\\n', ("Accept", '*/*'), ], None,)`), [
    `/a?b='c"`,
    ['Host: x\r\n', ['Accept', '*/*']],
    null,
  ]);
  assert.deepEqual(literal('()'), []);
});

test('escapes', () => {
  assert.equal(literal(String.raw`'\x41\u00fc\U0001d11e\n\\\q'`), 'Aü𝄞\n\\\\q');
  assert.equal(literal(String.raw`b"\xff'"`), "\u00ff'");
  assert.equal(literal(String.raw`r'\x41'`), '\\x41');
});

test('numbers and names', () => {
  assert.deepEqual(literal('[True, False, None, -1, 2.5, 1e3, .5]'), [true, false, null, -1, 2.5, 1000, 0.5]);
});

test('the end is where the text goes on', () => {
  const text = "xx ('a', 1). rest";
  assert.equal(text.slice(parsePythonLiteral(text, 2)?.end), '. rest');
});

test('what is cut off or no literal is undefined', () => {
  for (const text of [
    '',
    "'abc",
    "('a'",
    "{'a': ",
    "{'a' 1}",
    '{1, 2}',
    '[1 2]',
    String.raw`'\x4'`,
    String.raw`'\U00110000'`,
    '<object at 0x7f>',
    "array('c', 'x')",
    "'\\",
  ]) {
    assert.equal(literal(text), undefined, text);
  }
});

test('deep nesting and long text neither throw nor take long', () => {
  assert.equal(literal('['.repeat(100_000)), undefined);
  assert.equal(literal(`'${'\\x41'.repeat(100_000)}'`), 'A'.repeat(100_000));
  assert.equal(literal(`'${'x'.repeat(1_000_000)}'`)?.toString().length, 1_000_000);
});

test('any text is read or refused', () => {
  const unit = fc.constantFrom(
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    "'",
    '"',
    '\\',
    'x',
    'u',
    'b',
    ',',
    ':',
    '1',
    ' ',
  );
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      const parsed = parsePythonLiteral(text);
      assert.ok(parsed === undefined || parsed.end <= text.length);
    }),
  );
});

test('what repr writes is read back', () => {
  const repr = (value: PythonValue): string => {
    if (value === null) return 'None';
    if (typeof value === 'string') {
      return `'${value.replaceAll(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
    }
    if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`;
    return String(value);
  };
  const { value } = fc.letrec<{ value: PythonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constant(null),
      fc.integer(),
      fc.string({ unit: 'binary' }),
      fc.array(tie('value'), { maxLength: 4 }),
    ),
  }));
  fc.assert(fc.property(value, (original) => assert.deepEqual(literal(repr(original)), original)));
});
