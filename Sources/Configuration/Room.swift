import CToml
