// Registered domains of services that nearly every network uses: resolvers, time, updates, certificates, delivery, search
// and mail of large vendors. Attackers type these names to see whether a machine has a way out, and malware asks them for
// the time. Whoever blocks one breaks much and hinders nobody.
//
// Facts written for the project from general knowledge. `source` says where the owner publishes them, `date` when the row
// was written. A domain whose owner lets strangers register names below it is not here: those names are nobody's in
// particular (decision 0022).

export interface NameRow {
  readonly purpose: 'resolver' | 'time' | 'update' | 'certificate' | 'delivery' | 'search' | 'mail' | 'test';
  readonly source: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  /** Registered domains, or hosts of a domain that strangers share. Separated by blanks. */
  readonly names: string;
}

const DATE = '2026-11-22';

function row(purpose: NameRow['purpose'], source: string, names: string): NameRow {
  return { purpose, source, date: DATE, names };
}

export const WELL_KNOWN_NAMES: readonly NameRow[] = [
  row('resolver', 'dns.google', 'dns.google'),
  row('resolver', 'one.one.one.one', 'one.one cloudflare-dns.com'),
  row('resolver', 'www.quad9.net', 'quad9.net'),
  row('resolver', 'www.opendns.com', 'opendns.com umbrella.com'),
  row('resolver', 'adguard-dns.io', 'adguard-dns.com adguard-dns.io adguard.com'),
  row('resolver', 'cleanbrowsing.org', 'cleanbrowsing.org'),
  row('resolver', 'nextdns.io', 'nextdns.io'),
  row('resolver', 'www.iana.org/domains/root/servers', 'root-servers.net iana.org icann.org'),

  row('time', 'www.ntppool.org', 'ntp.org ntppool.org'),
  row('time', 'www.nist.gov/pml', 'nist.gov'),
  row('time', 'www.ptb.de', 'ptb.de'),
  row('time', 'www.netnod.se', 'ntp.se netnod.se'),

  row(
    'update',
    'learn.microsoft.com',
    'microsoft.com windows.com windowsupdate.com office.com office365.com office.net',
  ),
  row(
    'update',
    'learn.microsoft.com',
    'msftncsi.com msftconnecttest.com msn.com skype.com live.com microsoftonline.com',
  ),
  row(
    'update',
    'support.apple.com',
    'apple.com icloud.com mzstatic.com aaplimg.com cdn-apple.com apple-dns.net',
  ),
  row('update', 'support.google.com', 'gvt1.com gvt2.com android.com chrome.com chromium.org'),
  row('update', 'support.mozilla.org', 'mozilla.org mozilla.com mozilla.net firefox.com'),
  row('update', 'www.debian.org', 'debian.org'),
  row('update', 'ubuntu.com', 'ubuntu.com canonical.com snapcraft.io launchpad.net'),
  row('update', 'www.redhat.com', 'redhat.com fedoraproject.org centos.org'),
  row('update', 'rockylinux.org', 'rockylinux.org almalinux.org'),
  row('update', 'www.suse.com', 'suse.com opensuse.org'),
  row(
    'update',
    'archlinux.org',
    'archlinux.org alpinelinux.org gentoo.org kernel.org linuxmint.com kali.org',
  ),
  row('update', 'www.freebsd.org', 'freebsd.org openbsd.org netbsd.org'),
  row('update', 'openwrt.org', 'openwrt.org raspberrypi.com raspberrypi.org raspbian.org'),
  row('update', 'www.npmjs.com', 'npmjs.org npmjs.com nodejs.org'),
  row('update', 'pypi.org', 'pypi.org pythonhosted.org python.org'),
  row('update', 'rubygems.org', 'rubygems.org ruby-lang.org crates.io rust-lang.org golang.org go.dev'),
  row(
    'update',
    'maven.apache.org',
    'maven.org apache.org packagist.org php.net perl.org cpan.org nuget.org gnu.org',
  ),
  row('update', 'www.docker.com', 'docker.com docker.io quay.io kubernetes.io'),
  row('update', 'wordpress.org', 'wordpress.org drupal.org joomla.org'),
  row('update', 'helpx.adobe.com', 'adobe.com java.com oracle.com vmware.com videolan.org 7-zip.org'),
  row('update', 'www.intel.com', 'intel.com amd.com nvidia.com dell.com hp.com hpe.com lenovo.com'),
  row('update', 'www.samsung.com', 'samsung.com lg.com sony.com asus.com synology.com qnap.com'),
  row(
    'update',
    'www.cisco.com',
    'cisco.com juniper.net fortinet.com paloaltonetworks.com arista.com mikrotik.com',
  ),
  row('update', 'www.ui.com', 'ui.com ubnt.com tp-link.com netgear.com dlink.com axis.com hikvision.com'),
  row(
    'update',
    'www.siemens.com',
    'siemens.com rockwellautomation.com schneider-electric.com se.com abb.com',
  ),
  row(
    'update',
    'www.honeywell.com',
    'honeywell.com emerson.com yokogawa.com omron.com mitsubishielectric.com',
  ),
  row('update', 'www.beckhoff.com', 'beckhoff.com wago.com phoenixcontact.com codesys.com bosch.com'),
  row(
    'update',
    'www.virustotal.com',
    'virustotal.com clamav.net kaspersky.com eset.com avast.com avg.com avira.com',
  ),
  row(
    'update',
    'www.bitdefender.com',
    'bitdefender.com sophos.com trendmicro.com mcafee.com trellix.com norton.com',
  ),
  row(
    'update',
    'www.crowdstrike.com',
    'crowdstrike.com sentinelone.com malwarebytes.com f-secure.com drweb.com',
  ),

  row(
    'certificate',
    'www.digicert.com',
    'digicert.com digicert.cn verisign.com symcb.com symcd.com symantec.com',
  ),
  row('certificate', 'www.digicert.com', 'thawte.com geotrust.com rapidssl.com quovadisglobal.com'),
  row('certificate', 'letsencrypt.org', 'letsencrypt.org lencr.org identrust.com'),
  row(
    'certificate',
    'www.sectigo.com',
    'sectigo.com comodoca.com comodo.com usertrust.com trust-provider.com',
  ),
  row('certificate', 'www.globalsign.com', 'globalsign.com globalsign.net'),
  row('certificate', 'pki.goog', 'pki.goog'),
  row('certificate', 'www.amazontrust.com', 'amazontrust.com'),
  row('certificate', 'www.entrust.com', 'entrust.com entrust.net'),
  row('certificate', 'certs.godaddy.com', 'godaddy.com starfieldtech.com'),
  row(
    'certificate',
    'www.ssl.com',
    'ssl.com trustwave.com buypass.com buypass.no swisssign.com swisssign.net',
  ),
  row(
    'certificate',
    'www.actalis.com',
    'actalis.it actalis.com certum.pl certum.eu d-trust.net telesec.de harica.gr',
  ),
  row('certificate', 'www.secomtrust.net', 'secomtrust.net cfca.com.cn izenpe.com certigna.fr e-szigno.hu'),

  row('delivery', 'www.akamai.com', 'akamai.com akamaitechnologies.com'),
  row('delivery', 'www.akamai.com', 'akam.net'),
  row('delivery', 'www.cloudflare.com', 'cloudflare.com cdnjs.com cloudflareinsights.com'),
  row('delivery', 'www.fastly.com', 'fastly.com'),
  row('delivery', 'www.jsdelivr.com', 'jsdelivr.net unpkg.com bootstrapcdn.com jquery.com fontawesome.com'),
  row(
    'delivery',
    'developers.google.com',
    'gstatic.com fonts.googleapis.com ajax.googleapis.com www.googleapis.com',
  ),
  row(
    'delivery',
    'developers.google.com',
    'update.googleapis.com oauth2.googleapis.com youtube.com ytimg.com',
  ),
  row(
    'delivery',
    'marketingplatform.google.com',
    'google-analytics.com googletagmanager.com doubleclick.net',
  ),
  row(
    'delivery',
    'marketingplatform.google.com',
    'googlesyndication.com googleadservices.com googlevideo.com',
  ),
  row(
    'delivery',
    'about.meta.com',
    'facebook.com facebook.net fbcdn.net instagram.com whatsapp.com whatsapp.net',
  ),
  row('delivery', 'x.com', 'x.com twitter.com twimg.com t.co'),
  row('delivery', 'www.linkedin.com', 'linkedin.com licdn.com'),
  row('delivery', 'github.com', 'github.com githubassets.com gitlab.com bitbucket.org'),
  row('delivery', 'stackoverflow.com', 'stackoverflow.com stackexchange.com sstatic.net'),
  row('delivery', 'www.wikimedia.org', 'wikipedia.org wikimedia.org'),
  row('delivery', 'www.amazon.com', 'amazon.com amazon.de amazon.co.uk amazon.co.jp media-amazon.com'),
  row('delivery', 'www.paypal.com', 'paypal.com paypalobjects.com ebay.com visa.com mastercard.com'),
  row('delivery', 'www.netflix.com', 'netflix.com nflxvideo.net spotify.com scdn.co'),
  row('delivery', 'zoom.us', 'zoom.us slack.com slack-edge.com teams.com webex.com'),
  row('delivery', 'www.reddit.com', 'reddit.com redd.it pinterest.com tiktok.com'),
  row('delivery', 'www.alibaba.com', 'alibaba.com taobao.com tmall.com jd.com weibo.com'),

  row(
    'search',
    'www.google.com',
    'google.com google.de google.fr google.it google.es google.nl google.pl google.ca',
  ),
  row(
    'search',
    'www.google.com',
    'google.co.uk google.co.jp google.co.in google.co.kr google.com.br google.com.au',
  ),
  row(
    'search',
    'www.google.com',
    'google.com.mx google.com.tr google.com.hk google.ru google.ch google.at google.be',
  ),
  row('search', 'www.bing.com', 'bing.com bing.net'),
  row('search', 'www.yahoo.com', 'yahoo.com yimg.com yahoodns.net aol.com'),
  row('search', 'duckduckgo.com', 'duckduckgo.com qwant.com ecosia.org startpage.com brave.com'),
  row('search', 'www.baidu.com', 'baidu.com bdstatic.com sogou.com so.com'),
  row('search', 'yandex.com', 'yandex.com yandex.ru yandex.net ya.ru'),
  row('search', 'www.naver.com', 'naver.com daum.net seznam.cz'),

  row('mail', 'support.google.com', 'gmail.com googlemail.com'),
  row('mail', 'outlook.live.com', 'outlook.com hotmail.com'),
  row('mail', 'proton.me', 'proton.me protonmail.com protonmail.ch'),
  row('mail', 'www.gmx.net', 'gmx.net gmx.de gmx.com web.de t-online.de'),
  row('mail', 'mail.ru', 'mail.ru vk.com'),
  row('mail', 'mail.qq.com', 'qq.com 163.com 126.com sina.com.cn sohu.com'),
  row('mail', 'www.fastmail.com', 'fastmail.com messagingengine.com zoho.com'),
  row('mail', 'www.mimecast.com', 'mimecast.com pphosted.com proofpoint.com messagelabs.com'),

  row(
    'test',
    'testmynids.org',
    'testmyids.com testmyids.ca testmynids.org eicar.org eicar.com wicar.org amtso.org',
  ),
  row('test', 'neverssl.com', 'neverssl.com captive.apple.com'),
  row(
    'test',
    'www.ipify.org',
    'ipify.org icanhazip.com ifconfig.me ifconfig.co ipinfo.io ident.me ip-api.com',
  ),
  row('test', 'www.speedtest.net', 'speedtest.net ookla.com fast.com'),
];
