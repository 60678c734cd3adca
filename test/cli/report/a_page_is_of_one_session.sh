presto report --html page.html --session all
