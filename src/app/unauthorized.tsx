/**
 * Never shown: anonymous callers are redirected to the sign-in page. Without this file Next sends
 * its default page along with every page.
 */
export default function Unauthorized() {
  return null
}
