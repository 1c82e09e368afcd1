export interface NavigationItem {
  href: string
  label: string
}
