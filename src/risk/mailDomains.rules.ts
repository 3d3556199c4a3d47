// Well-known hosts of disposable mailboxes. One hint among several, so a short list suffices.
const DISPOSABLE = new Set(
  `10minutemail.com 10minutemail.net 20minutemail.com 33mail.com burnermail.io byom.de cock.li deadaddress.com
  discard.email discardmail.com dispostable.com dropmail.me emailondeck.com fakeinbox.com fakemail.net getairmail.com
  getnada.com grr.la guerrillamail.biz guerrillamail.com guerrillamail.de guerrillamail.net guerrillamail.org
  guerrillamailblock.com harakirimail.com inboxbear.com incognitomail.org jetable.org mail-temp.com mail.tm
  mailcatch.com maildrop.cc mailexpire.com mailinator.com mailinator.net mailmoat.com mailnesia.com mailnull.com
  mailsac.com mailtemp.info mintemail.com moakt.com mohmal.com mytemp.email mytrashmail.com nada.email
  nospam.ze.tc onetimemail.org sharklasers.com sogetthis.com spam4.me spambog.com spambox.us spamex.com spamgourmet.com
  temp-mail.io temp-mail.org tempail.com tempinbox.com tempmail.dev tempmail.net tempmail.plus tempmailo.com
  tempr.email throwam.com throwawaymail.com tmail.ws tmpmail.net tmpmail.org trash-mail.com trashmail.com trashmail.de
  trashmail.net trbvm.com wegwerfmail.de wegwerfmail.net yopmail.com yopmail.fr yopmail.net`.split(/\s+/),
)

/** True for hosts of disposable mailboxes and their subdomains. */
export function isDisposableMail(email: string): boolean {
  const labels = email
    .slice(email.lastIndexOf('@') + 1)
    .toLowerCase()
    .split('.')
  return labels.some((_, i) => DISPOSABLE.has(labels.slice(i).join('.')))
}
