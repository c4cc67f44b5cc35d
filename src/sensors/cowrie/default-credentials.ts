// Pairs of user name and password that vendors shipped devices with, as botnets try them. Only whether a login used one
// of them is kept; what was typed never is.

/** `user:password`; nothing behind the colon: no password. */
const PAIRS: ReadonlySet<string> = new Set(
  `root: root:root root:admin root:1234 root:12345 root:123456 root:pass root:password root:default root:user root:system
  root:vizxv root:xc3511 root:xmhdipc root:juantech root:54321 root:888888 root:666666 root:klv123 root:klv1234
  root:Zte521 root:hi3518 root:jvbzd root:anko root:zlxx. root:7ujMko0vizxv root:7ujMko0admin root:ikwb root:dreambox
  root:realtek root:00000000 root:1111 root:1111111 root:1001chin root:cat1029 root:hunt5759 root:icatch99 root:GM8182
  root:toor root:alpine root:raspberry root:ubnt root:calvin root:changeme root:oelinux123 root:tini root:5up
  admin: admin:admin admin:1234 admin:12345 admin:123456 admin:password admin:pass admin:default admin:54321
  admin:1111 admin:1111111 admin:4321 admin:smcadmin admin:admin1234 admin:7ujMko0admin admin:meinsm admin:changeme
  admin1:password administrator:1234 administrator:admin Administrator:admin
  guest: guest:guest guest:12345 user: user:user support:support service:service supervisor:supervisor tech:tech
  ubnt:ubnt pi:raspberry default: default:default default:OxhlwSG8 default:S2fGqNFs daemon:daemon 666666:666666
  888888:888888 telnet:telnet telecomadmin:admintelecom cisco:cisco ftp:ftp nagios:nagios
  oracle:oracle postgres:postgres tomcat:tomcat vagrant:vagrant ubuntu:ubuntu USER:USER PLC:PLC wago:wago
  operator:operator engineer:engineer`.split(/\s+/),
);

export function areDefaultCredentials(user: string, password: string): boolean {
  return PAIRS.has(`${user}:${password}`);
}
