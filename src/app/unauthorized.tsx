/**
 * Nothing here calls `unauthorized()`: who is not signed in is sent to the door. Without this file
 * Next sends a page of its own for it along with every page.
 */
export default function Unauthorized() {
  return null
}
