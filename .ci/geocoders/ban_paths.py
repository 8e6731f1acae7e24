"""addok as a WSGI application that answers under the paths of the service of the Base Adresse Nationale."""
from addok.http.base import Reverse, Search
from addok.http.wsgi import application

application.add_route("/geocodage/search", Search())
application.add_route("/geocodage/reverse", Reverse())
